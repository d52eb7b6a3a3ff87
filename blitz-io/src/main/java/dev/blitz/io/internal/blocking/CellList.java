package dev.blitz.io.internal.blocking;

import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls in the order in which they came, and two walks over them that go on while calls come and
 * leave. Guarded by the pool's lock, which a walk gives back between two steps; takes no memory.
 */
final class CellList {
  private final LinkList places = new LinkList();

  /** To those that are to be cancelled. */
  final Walk cancels = new Walk();

  /** To those that nobody waits for any more. */
  final Walk givenUp = new Walk();

  /** Two closes on the same walk take the next one in turn. */
  final class Walk {
    private @Nullable Link next;

    /** From the first one, also if it has begun before. */
    void begin() {
      next = places.first();
    }

    /** The next one; null at the end. */
    @Nullable BlockingCell<?> step() {
      Link place = next;
      if (place == null) {
        return null;
      }
      next = place.following();
      return cellAt(place);
    }

    private void pass(Link place) {
      if (next == place) {
        next = place.following();
      }
    }
  }

  void add(BlockingCell<?> cell) {
    places.add(cell.place);
  }

  /** False if it was not there; it must be in no other list. */
  boolean remove(BlockingCell<?> cell) {
    cancels.pass(cell.place);
    givenUp.pass(cell.place);
    return places.remove(cell.place);
  }

  @Nullable BlockingCell<?> takeFirst() {
    Link first = places.first();
    if (first == null) {
      return null;
    }
    BlockingCell<?> cell = cellAt(first);
    remove(cell);
    return cell;
  }

  void forEach(Consumer<BlockingCell<?>> action) {
    for (Link place = places.first(); place != null; place = place.following()) {
      action.accept(cellAt(place));
    }
  }

  private static BlockingCell<?> cellAt(Link place) {
    return ((BlockingCell.Place) place).cell;
  }
}
