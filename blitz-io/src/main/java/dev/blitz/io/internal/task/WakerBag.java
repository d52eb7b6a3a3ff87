package dev.blitz.io.internal.task;

import dev.blitz.io.future.Waker;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Wakers in one reference: null, a single {@link Waker}, or an array. Immutable; most cells never
 * see a second waiter, so the common case allocates nothing. Wakers of tasks that have ended are
 * forgotten when another one is added, so a long-lived cell that many short tasks look at does not
 * grow.
 *
 * <p>Being obsolete must never depend on the cell that is waited for: its end would then be told to
 * nobody.
 */
final class WakerBag {
  private WakerBag() {}

  /** The bag with this waker in it; the same bag if it was there. */
  static Object with(@Nullable Object bag, Waker waker) {
    if (bag == null || bag == waker) {
      return waker;
    }
    if (bag instanceof Waker single) {
      return single.isObsolete() ? waker : new Waker[] {single, waker};
    }
    Waker[] all = (Waker[]) bag;
    int live = 0;
    for (Waker w : all) {
      if (w == waker) {
        return bag;
      }
      if (!w.isObsolete()) {
        live++;
      }
    }
    Waker[] next = new Waker[live + 1];
    int n = 0;
    for (Waker w : all) {
      if (n < live && !w.isObsolete()) {
        next[n++] = w;
      }
    }
    next[n++] = waker;
    return n == next.length ? next : Arrays.copyOf(next, n);
  }

  /** Wakes each; one that throws does not keep the others asleep. */
  static void wakeAll(@Nullable Object bag) {
    if (bag instanceof Waker single) {
      wake(single);
    } else if (bag != null) {
      for (Waker w : (Waker[]) bag) {
        wake(w);
      }
    }
  }

  private static void wake(Waker waker) {
    try {
      waker.wake();
    } catch (Throwable t) {
      Uncaught.report("a waker of " + waker.getClass().getName(), t);
    }
  }
}
