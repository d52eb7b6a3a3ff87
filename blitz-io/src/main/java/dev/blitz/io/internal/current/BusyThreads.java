package dev.blitz.io.internal.current;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads besides the workers that may still wake tasks: a manual clock must not skip time
 * while there are any.
 */
/* Implementation notes
 *
 * They are the calls of the blocking pool, which counts them itself, and those that are counted here: threads of direct
 * tasks on the JDK's scheduler, threads inside Task.blockInPlace. A thread of either kind that waits for a future is
 * taken out here until it is woken, so the count here may be negative; the sum is not.
 *
 * `word` is 2^32 times the number of changes, plus the count: who finds the same word twice knows that nothing has
 * changed in between. Only atomic read-modify-writes and volatile reads.
 */
public final class BusyThreads {
  private static final long ONE_CHANGE = 1L << 32;

  private final boolean manualClock;
  private final Runnable onFewer;
  private final AtomicLong word = new AtomicLong();

  /** Counts for a manual clock only; {@code onFewer} is called when there may be none any more. */
  public BusyThreads(boolean manualClock, Runnable onFewer) {
    this.manualClock = manualClock;
    this.onFewer = onFewer;
  }

  /** So many more, or fewer. */
  public void add(int delta) {
    if (manualClock) {
      word.addAndGet(ONE_CHANGE + delta);
      if (delta < 0) {
        onFewer.run();
      }
    }
  }

  /** A thread that is not counted here has nothing to do any more. */
  public void quiet() {
    if (manualClock) {
      onFewer.run();
    }
  }

  /** Count and changes: the same twice if nothing has changed in between. */
  public long word() {
    return word.get();
  }

  /** The count in a {@linkplain #word word}. */
  public static int count(long word) {
    return (int) word;
  }
}
