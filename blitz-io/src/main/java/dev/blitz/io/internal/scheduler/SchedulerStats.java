package dev.blitz.io.internal.scheduler;

import dev.blitz.io.observe.RuntimeStats;
import java.util.ArrayList;
import java.util.List;

/** Turns the workers' counters into what users see. */
public final class SchedulerStats {
  private SchedulerStats() {}

  /** The counters of {@code scheduler}, taken now. */
  public static RuntimeStats of(Scheduler scheduler, RuntimeStats.Blocking blocking) {
    List<RuntimeStats.Worker> workers = new ArrayList<>();
    for (Worker w : scheduler.crew().workers()) {
      WorkerStats s = w.stats();
      workers.add(
          new RuntimeStats.Worker(
              w.index(),
              s.get(WorkerStats.POLLED),
              s.get(WorkerStats.STOLEN),
              s.get(WorkerStats.PARKED),
              s.get(WorkerStats.LIFO_HITS),
              s.get(WorkerStats.INJECT_FETCHES),
              s.get(WorkerStats.OVERFLOWS),
              w.context().forcedYields(),
              s.get(WorkerStats.SPINS_PAID),
              s.get(WorkerStats.SPINS_WASTED)));
    }
    IdleState idle = scheduler.crew().idle();
    return new RuntimeStats(
        scheduler.counts().spawned(),
        scheduler.counts().live(),
        scheduler.home().timers().size(),
        idle.searching(),
        idle.parkedCount(),
        List.copyOf(workers),
        blocking);
  }
}
