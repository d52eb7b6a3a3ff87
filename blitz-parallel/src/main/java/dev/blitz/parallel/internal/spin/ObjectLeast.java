package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.internal.sort.ObjectSort;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the least of many objects, of equal ones those that came first: a buffer that is sorted and
 * cut whenever it is full.
 */
public final class ObjectLeast {
  private static final int FIRST_ROOM = 64;

  private final int count;
  private final Comparator<Object> order;
  private @Nullable Object[] kept;
  private int size;

  /** Once there are enough: what is not below this is not among them. */
  private @Nullable Object bound;

  /**
   * Keeps none yet.
   *
   * @param count how many to keep, 1 to 2^29
   * @param order which are the least
   */
  public ObjectLeast(int count, Comparator<Object> order) {
    this.count = count;
    this.order = order;
    this.kept = new Object[Math.min(FIRST_ROOM, 2 * count)];
  }

  /**
   * Looks at another.
   *
   * @param x an object
   */
  public void add(Object x) {
    Object last = bound;
    if (last != null && order.compare(x, last) >= 0) {
      return;
    }
    if (size == kept.length) {
      makeRoom();
    }
    kept[size++] = x;
  }

  private void makeRoom() {
    if (size >= 2 * count) {
      cut();
    } else {
      kept = Arrays.copyOf(kept, Math.min(2 * size, 2 * count));
    }
  }

  @SuppressWarnings("NullAway") // below size there is no null
  private void cut() {
    ObjectSort.sort(kept, 0, size, order);
    if (size >= count) {
      Arrays.fill(kept, count, size, null);
      size = count;
      bound = kept[count - 1];
    }
  }

  /**
   * Looks at all that another has kept, which came later.
   *
   * @param other of the same count and order
   */
  public void addAll(ObjectLeast other) {
    for (int i = 0; i < other.size; i++) {
      add(Objects.requireNonNull(other.kept[i]));
    }
  }

  /**
   * What was kept.
   *
   * @return in order
   */
  @SuppressWarnings("NullAway") // below size there is no null
  public List<Object> toList() {
    cut();
    return List.of(Arrays.copyOf(kept, size));
  }
}
