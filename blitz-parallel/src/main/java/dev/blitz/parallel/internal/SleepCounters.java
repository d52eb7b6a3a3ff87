package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Sleeping and inactive workers and the jobs event counter (JEC), packed in one word so that one
 * CAS can say "one more sleeper, provided nothing was posted".
 *
 * <pre>
 * bits  0-15  sleeping   inactive workers that are blocked or about to be
 * bits 16-31  inactive   workers that look for work
 * bits 32-63  JEC        even: somebody is sleepy; odd: something was posted since
 * </pre>
 *
 * <p>All operations are sequentially consistent; the proof in {@code docs/design/parallel-sleep.md}
 * needs their single order.
 */
final class SleepCounters {
  private static final long ONE_SLEEPING = 1L;
  private static final long ONE_INACTIVE = 1L << 16;
  private static final long ONE_EVENT = 1L << 32;
  private static final int FIELD = 0xFFFF;

  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", long.class);

  private volatile long word;

  SleepCounters(int firstEvent) {
    // Odd: nobody is sleepy yet.
    word = pack(firstEvent | 1, 0, 0);
  }

  static long pack(int events, int inactive, int sleeping) {
    return ((long) events << 32) | ((long) inactive << 16) | sleeping;
  }

  static int sleeping(long word) {
    return (int) word & FIELD;
  }

  static int inactive(long word) {
    return (int) (word >>> 16) & FIELD;
  }

  static int awakeIdle(long word) {
    return inactive(word) - sleeping(word);
  }

  static int events(long word) {
    return (int) (word >>> 32);
  }

  /** Even: somebody announced to be sleepy and nothing was posted since. */
  static boolean isSleepy(long word) {
    return (word & ONE_EVENT) == 0;
  }

  long read() {
    return word;
  }

  void addInactive() {
    WORD.getAndAdd(this, ONE_INACTIVE);
  }

  /** Returns the word after the change. */
  long subInactive() {
    return (long) WORD.getAndAdd(this, -ONE_INACTIVE) - ONE_INACTIVE;
  }

  /** Makes the JEC even and returns it: the snapshot that {@link #tryAddSleeping} compares. */
  int announceSleepy() {
    while (true) {
      long seen = word;
      if (isSleepy(seen)) {
        return events(seen);
      }
      long next = seen + ONE_EVENT;
      if (WORD.compareAndSet(this, seen, next)) {
        return events(next);
      }
    }
  }

  /** Makes an even JEC odd and returns the word after the change. */
  long post() {
    while (true) {
      long seen = word;
      if (!isSleepy(seen)) {
        return seen;
      }
      long next = seen + ONE_EVENT;
      if (WORD.compareAndSet(this, seen, next)) {
        return next;
      }
    }
  }

  /** One more sleeper, unless something was posted since the snapshot. */
  boolean tryAddSleeping(int snapshot) {
    while (true) {
      long seen = word;
      if (events(seen) != snapshot) {
        return false;
      }
      if (WORD.compareAndSet(this, seen, seen + ONE_SLEEPING)) {
        return true;
      }
    }
  }

  void subSleeping() {
    WORD.getAndAdd(this, -ONE_SLEEPING);
  }

  @Override
  public String toString() {
    long seen = word;
    return "SleepCounters[JEC "
        + Integer.toUnsignedString(events(seen))
        + (isSleepy(seen) ? " sleepy" : " active")
        + ", inactive "
        + inactive(seen)
        + ", sleeping "
        + sleeping(seen)
        + "]";
  }
}
