package dev.blitz.io.future;

import dev.blitz.io.internal.wait.Branch;
import dev.blitz.io.internal.wait.Branches;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first of several futures to end, by value or failure; earlier ones in the list, or in the
 * order drawn for it, win a tie, unless they have used up the budget of the last poll. The others
 * are dropped (race) or handed back to the caller unharmed (select).
 */
final class FirstFuture<T> implements Future<Selected<T>>, FairOrder.Choice {
  /** In the order in which they are asked. */
  private final @Nullable Future<? extends T>[] futures;

  /** For each of them its place in the list; null if that is the same. */
  private int @Nullable [] order;

  private final boolean dropLosers;

  /** Null if there are few. */
  private final @Nullable Branches branches;

  /**
   * Of few: who is asked first in the next poll. Not 0 if no budget was left for it in the last.
   */
  private int next;

  /** Of few: whether each has been asked at least once. */
  private boolean askedAll;

  FirstFuture(List<? extends Future<? extends T>> futures, boolean dropLosers) {
    if (futures.isEmpty()) {
      throw new IllegalArgumentException("no futures to choose from: this would never end");
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    @Nullable Future<? extends T>[] array = futures.toArray(new Future[0]);
    for (var f : array) {
      Objects.requireNonNull(f, "future");
    }
    this.futures = array;
    this.dropLosers = dropLosers;
    this.branches = Branches.forMany(array.length);
  }

  @Override
  public void drawOrder(FairOrder fair) {
    @Nullable Future<? extends T>[] list = futures.clone();
    int[] drawn = fair.order(list.length);
    for (int i = 0; i < list.length; i++) {
      futures[i] = list[drawn[i]];
    }
    order = drawn;
  }

  @Override
  public @Nullable Selected<T> poll(Context cx) throws Exception {
    if (branches != null) {
      return pollWoken(branches, cx);
    }
    for (int asked = 0; asked < futures.length; asked++) {
      if (!cx.mayProceed()) {
        return null;
      }
      int i = next++;
      if (next == futures.length) {
        next = 0;
        askedAll = true;
      }
      Selected<T> selected = pollOne(i, cx);
      if (selected != null) {
        return selected;
      }
    }
    next = 0;
    return null;
  }

  /** Whether each of them has been asked at least once. */
  boolean hasAskedAll() {
    return branches == null ? askedAll : branches.hasBegunAll();
  }

  private @Nullable Selected<T> pollWoken(Branches woken, Context cx) throws Exception {
    if (woken.isOver()) {
      throw polledAfterCompletion();
    }
    try {
      woken.begin(cx);
    } catch (Throwable t) { // no memory or stack: it has ended, and nobody else would drop them
      drop();
      throw t;
    }
    try {
      for (Branch branch = woken.next(); branch != null; branch = woken.next()) {
        Selected<T> selected = pollOne(branch.place, branch);
        if (selected != null) {
          return selected;
        }
      }
      return null;
    } finally {
      woken.end();
    }
  }

  private @Nullable Selected<T> pollOne(int i, Context cx) throws Exception {
    Future<? extends T> f = futures[i];
    if (f == null) {
      throw polledAfterCompletion();
    }
    T value;
    try {
      value = f.poll(cx);
    } catch (Throwable t) {
      end(i);
      throw t;
    }
    if (value == null) {
      return null;
    }
    end(i);
    return new Selected<>(order == null ? i : order[i], value);
  }

  private IllegalStateException polledAfterCompletion() {
    return new IllegalStateException(this + " was already awaited or dropped; make a new one");
  }

  private void end(int winner) {
    futures[winner] = null;
    close();
    if (dropLosers) {
      Drops.all(futures);
    } else {
      Arrays.fill(futures, null);
    }
  }

  private void close() {
    if (branches != null) {
      branches.close();
    }
  }

  @Override
  public void drop() {
    close();
    Drops.all(futures);
  }

  @Override
  public String toString() {
    return WaitText.of("first of ", futures);
  }
}
