package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Waker;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Wakers in one reference: null, a single {@link Waker}, an array of a few, or a chain of many.
 * Immutable; most cells never see a second waiter, so the common case allocates nothing. Wakers of
 * tasks that have ended are forgotten when others are added, so a long-lived cell that many short
 * tasks look at does not grow.
 *
 * <p>A chain takes another waker in constant time: it is searched for wakers that are obsolete or
 * there twice only when it has doubled since the last time. A waker may so be woken more than once.
 *
 * <p>Being obsolete must never depend on the cell that is waited for: its end would then be told to
 * nobody.
 */
public final class WakerBag {
  /** So many are looked through at each step. */
  static final int FEW = 8;

  /** A chain is not searched before it is so long: that would cost more than it saves. */
  static final int FIRST_SEARCH = 64;

  private WakerBag() {}

  /**
   * The newest of many.
   *
   * @param length of the chain from here on
   * @param searchAt the length at which it is searched
   */
  private record Chain(Waker waker, @Nullable Chain older, int length, int searchAt) {}

  /** The bag with this waker in it; the same bag if it was seen there. */
  public static Object with(@Nullable Object bag, Waker waker) {
    if (bag == null || bag == waker) {
      return waker;
    }
    if (bag instanceof Waker single) {
      return isObsolete(single) ? waker : new Waker[] {single, waker};
    }
    if (bag instanceof Chain chain) {
      return withChain(chain, waker);
    }
    Waker[] all = (Waker[]) bag;
    Waker[] next = new Waker[all.length + 1];
    int live = 0;
    for (Waker w : all) {
      if (w == waker) {
        return bag;
      }
      if (!isObsolete(w)) {
        next[live++] = w;
      }
    }
    next[live++] = waker;
    return ofLive(next, live);
  }

  private static Object withChain(Chain chain, Waker waker) {
    Chain c = chain;
    for (int i = 0; i < FEW && c != null; i++, c = c.older) {
      if (c.waker == waker) {
        return chain;
      }
    }
    return chain.length < chain.searchAt
        ? new Chain(waker, chain, chain.length + 1, chain.searchAt)
        : searched(chain, waker);
  }

  private static Object searched(Chain chain, Waker waker) {
    Set<Waker> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(waker);
    Waker[] live = new Waker[chain.length + 1];
    int first = live.length - 1;
    live[first] = waker;
    for (Chain c = chain; c != null; c = c.older) {
      if (!isObsolete(c.waker) && seen.add(c.waker)) {
        live[--first] = c.waker;
      }
    }
    int n = live.length - first;
    System.arraycopy(live, first, live, 0, n);
    return ofLive(live, n);
  }

  /** {@code wakers}: oldest first, longer than {@code n}. */
  private static Object ofLive(Waker[] wakers, int n) {
    if (n <= FEW) {
      return Arrays.copyOf(wakers, n);
    }
    int searchAt = Math.max(FIRST_SEARCH, 2 * n);
    Chain chain = null;
    for (int i = 0; i < n; i++) {
      chain = new Chain(wakers[i], chain, i + 1, searchAt);
    }
    return Objects.requireNonNull(chain);
  }

  /** Wakes each, oldest first; one that throws does not keep the others asleep. */
  public static void wakeAll(@Nullable Object bag) {
    if (bag instanceof Waker single) {
      SafeCalls.wake(single);
    } else if (bag instanceof Chain chain) {
      Waker[] oldestFirst;
      try {
        oldestFirst = asArray(chain);
      } catch (OutOfMemoryError e) {
        for (Chain c = chain; c != null; c = c.older) {
          SafeCalls.wake(c.waker); // the order matters less than that all are woken
        }
        return;
      }
      wakeEach(oldestFirst);
    } else if (bag != null) {
      wakeEach((Waker[]) bag);
    }
  }

  private static void wakeEach(Waker[] wakers) {
    for (Waker w : wakers) {
      SafeCalls.wake(w);
    }
  }

  private static Waker[] asArray(Chain chain) {
    Waker[] all = new Waker[chain.length];
    for (Chain c = chain; c != null; c = c.older) {
      all[c.length - 1] = c.waker;
    }
    return all;
  }

  /** The one that was added first, as far as it is not obsolete; null if there is none. */
  public static @Nullable Waker oldest(@Nullable Object bag) {
    return switch (bag) {
      case null -> null;
      case Chain chain -> oldest(chain);
      case Waker[] all -> all[0];
      default -> (Waker) bag;
    };
  }

  private static Waker oldest(Chain chain) {
    Chain c = chain;
    while (c.older != null) {
      c = c.older;
    }
    return c.waker;
  }

  /** How many there are; for tests. */
  static int size(@Nullable Object bag) {
    return switch (bag) {
      case null -> 0;
      case Chain chain -> chain.length;
      case Waker[] all -> all.length;
      default -> 1;
    };
  }

  private static boolean isObsolete(Waker waker) {
    try {
      return waker.isObsolete();
    } catch (Throwable t) {
      return false; // a foreign one must not break the wait of others
    }
  }
}
