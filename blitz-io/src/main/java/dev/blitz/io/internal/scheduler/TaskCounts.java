package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.Nullable;

/** How many tasks there have been, and are. */
/* Implementation notes
 *
 * Spawned is counted before a task can run and ended after it has its outcome;
 * `live` sums ended before spawned, so it never misses a task that exists.
 */
final class TaskCounts {
  private final Worker[] workers;
  private final OutsideCounts spawnedOutside = new OutsideCounts();
  private final OutsideCounts endedOutside = new OutsideCounts(); // no LongAdder: that may grow

  TaskCounts(Worker[] workers) {
    this.workers = workers;
  }

  /** Counts a task that {@code worker} spawns, null for other threads. */
  void spawning(@Nullable Worker worker) {
    if (worker != null) {
      worker.stats().add(WorkerStats.SPAWNED, 1);
    } else {
      spawnedOutside.increment();
    }
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
