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

  private final Scheduler scheduler;
  private final AtomicLong word = new AtomicLong();
  private volatile IntSupplier pool = () -> 0;

  BusyThreads(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  void setPool(IntSupplier count) {
    pool = count;
  }

  void add(int delta) {
    word.addAndGet(ONE_CHANGE + delta);
  }

  private int count() {
    return pool.getAsInt() + (int) word.get();
  }

  /**
   * Lets a manual clock skip to the next deadline when nothing else can happen before.
   *
   * @return whether a timer is due now
   */
  boolean skipIdleTime(long deadlineNanos) {
    // One look after the other sees what was true at different times, unless nothing has changed
    // between the first and the last: no worker has parked again, no other thread has begun or
    // ended. A call of the pool that ends has queued its joiner and claimed a worker before.
    IdleState idle = scheduler.idle();
    long parks = parks();
    long changes = word.get();
    return idle.allParked()
        && count() == 0
        && !scheduler.hasQueuedWork()
        && idle.allParked()
        && word.get() == changes
        && parks() == parks
        && scheduler.clock().skipTo(deadlineNanos);
  }

  private long parks() {
    long parks = 0;
    for (Worker w : scheduler.workers()) {
      parks += w.stats().get(WorkerStats.PARKED);
    }
    return parks;
  }
}
