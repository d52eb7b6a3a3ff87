package dev.blitz.io.internal.scheduler;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

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
 * `word` is 2^32 times the number of changes, plus the count: who finds the same word twice knows that nothing has changed
 * in between. Only atomic read-modify-writes and volatile reads.
 */
final class BusyThreads {
  private static final long ONE_CHANGE = 1L << 32;

  private final AtomicLong word = new AtomicLong();
  private volatile IntSupplier pool = () -> 0;

  void setPool(IntSupplier count) {
    pool = count;
  }

  void add(int delta) {
    word.addAndGet(ONE_CHANGE + delta);
  }

  /** Another number after each change. */
  long changes() {
    return word.get();
  }

  int count() {
    return pool.getAsInt() + (int) word.get();
  }
}
