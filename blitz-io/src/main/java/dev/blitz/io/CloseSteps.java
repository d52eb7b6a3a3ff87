package dev.blitz.io;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.blocking.BlockingLanes;
import dev.blitz.io.internal.scheduler.RuntimeApi;
import dev.blitz.io.internal.scheduler.Scheduler;
import dev.blitz.io.observe.CloseReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What a close does, step by step, and what it finds left. Whatever a step throws, the later ones
 * are made. Made together with the runtime, as there may be no memory for it in the end; run once.
 */
final class CloseSteps implements RuntimeEnd.Work {
  /** Threads that only have to notice the end get this long even if the deadline has passed. */
  private static final long GRACE_NANOS = 200_000_000;

  private final Scheduler scheduler;
  private final RuntimeApi api;
  private final BlockingLanes lanes;
  private final Machine machine;
  private final LongSupplier forThreads = this::deadlineOfThreads;

  private LongSupplier deadline = () -> 0;
  private long grace;

  private final List<String> tasks = new ArrayList<>();
  private final Map<Thread, String> threads = new LinkedHashMap<>();
  private final List<Thread> alive = new ArrayList<>();

  CloseSteps(Scheduler scheduler, RuntimeApi api, BlockingLanes lanes, Machine machine) {
    this.scheduler = scheduler;
    this.api = api;
    this.lanes = lanes;
    this.machine = machine;
  }

  @Override
  public CloseReport run(LongSupplier deadlineNanos) {
    deadline = deadlineNanos;
    try {
      endTasks();
    } finally {
      try {
        api.closeFiles();
      } finally {
        try {
          endCalls();
        } finally {
          endThreads();
        }
      }
    }
    return report();
  }

  private void endTasks() {
    try {
      scheduler.beginClosing();
    } finally {
      if (!scheduler.awaitTasks(deadline)) {
        tasks.addAll(scheduler.describeTasksFully());
        threads.putAll(scheduler.describeBusyThreads());
      }
    }
  }

  private void endCalls() {
    alive.addAll(lanes.close(deadline));
    tasks.addAll(lanes.describeRunning());
  }

  private void endThreads() {
    grace = machine.nanoTime() + GRACE_NANOS;
    try {
      alive.addAll(scheduler.terminate(forThreads));
    } finally {
      scheduler.home().stopLooking();
    }
  }

  private long deadlineOfThreads() {
    long latest = deadline.getAsLong();
    return latest - grace > 0 ? latest : grace;
  }

  private CloseReport report() {
    alive.forEach(t -> threads.computeIfAbsent(t, Scheduler::describe));
    var report =
        tasks.isEmpty() && threads.isEmpty()
            ? CloseReport.CLEAN
            : new CloseReport(false, List.copyOf(tasks), List.copyOf(threads.values()));
    alive.clear(); // a closed runtime may be held for long
    threads.clear();
    return report;
  }

  /** What is running now. */
  CloseReport soFar() {
    List<String> now = new ArrayList<>(scheduler.describeTasksFully());
    now.addAll(lanes.describeRunning());
    return new CloseReport(false, now, List.copyOf(scheduler.describeBusyThreads().values()));
  }
}
