package dev.blitz.io.internal.scheduler;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How many tasks there have been, and their ids. */
/* Implementation notes
 *
 * Ids are sequence * 128 + lane, a lane per worker and some that all other threads share, so the sequence numbers are
 * also the counts of spawned tasks. Spawned is counted before a task can run and ended after it has its outcome;
 * `live` sums ended before spawned, so it never misses a task that exists.
 */
final class TaskCounts {
  private static final int LANES = 128;

  private final Worker[] workers;
  private final OutsideCounts spawnedOutside = new OutsideCounts();
  private final LongAdder endedOutside = new LongAdder();

  TaskCounts(Worker[] workers) {
    this.workers = workers;
  }

  /** Counts a task that {@code worker} spawns, null for other threads; returns its id. */
  long newId(@Nullable Worker worker) {
    return worker == null
        ? spawnedOutside.nextId(SchedulerTuning.MAX_WORKERS, LANES)
        : worker.stats().add(WorkerStats.SPAWNED, 1) * LANES + worker.index();
  }

  /** Counts an end. */
  void ended(@Nullable Worker worker) {
    if (worker != null) {
      worker.stats().addRelease(WorkerStats.ENDED, 1);
    } else {
      endedOutside.increment();
    }
  }

  /** Tasks that have been spawned and have not ended. */
  long live() {
    long ended = endedOutside.sum();
    for (Worker w : workers) {
      ended += w.stats().getAcquire(WorkerStats.ENDED);
    }
    return spawned() - ended;
  }

  /** Tasks ever spawned. */
  long spawned() {
    long spawned = spawnedOutside.sum();
    for (Worker w : workers) {
      spawned += w.stats().getAcquire(WorkerStats.SPAWNED);
    }
    return spawned;
  }
}
