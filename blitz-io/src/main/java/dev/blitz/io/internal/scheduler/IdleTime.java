package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.internal.current.BusyThreads;
import dev.blitz.io.policy.TimeSource;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Lets a manual clock skip the time in which nothing can happen. */
final class IdleTime {
  private final Crew crew;
  private final BusyThreads busy;
  private final @Nullable ManualClock clock;
  private volatile IntSupplier pool = () -> 0;

  IdleTime(Crew crew, BusyThreads busy, TimeSource clock) {
    this.crew = crew;
    this.busy = busy;
    this.clock = clock instanceof ManualClock manual ? manual : null;
  }

  /** {@code count}: calls of the blocking pool, which counts them itself. */
  void setPool(IntSupplier count) {
    pool = count;
  }

  /**
   * Skips to the next deadline if nothing else can happen before and the clock can skip.
   *
   * @return whether a timer is due now
   */
  boolean skipTo(long deadlineNanos) {
    if (clock == null) {
      return false;
    }
    // One look after the other sees what was true at different times, unless nothing has changed
    // between the first and the last: no worker has parked again, no other thread has begun or
    // ended. A call of the pool that ends has queued its joiner and claimed a worker before.
    IdleState idle = crew.idle();
    long parks = parks();
    long before = busy.word();
    return idle.allParked()
        && pool.getAsInt() + BusyThreads.count(busy.word()) == 0
        && !crew.hasQueuedWork()
        && idle.allParked()
        && busy.word() == before
        && parks() == parks
        && clock.skipTo(deadlineNanos);
  }

  private long parks() {
    long parks = 0;
    for (Worker w : crew.workers()) {
      parks += w.stats().get(WorkerStats.PARKED);
    }
    return parks;
  }
}
