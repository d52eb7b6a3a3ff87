package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.direct.DirectCell;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.TaskCell;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a scheduler ends: all tasks are cancelled and waited for, then the threads; what is left is
 * ended without them. The steps are in the page on the scheduler, docs/design/scheduler.md.
 */
final class Closing {
  /** How often a wait for tasks looks by itself, besides being told of each end. */
  private static final long LOOK_NANOS = 10_000_000;

  private final Crew crew;
  private final WorkerThreads threads;
  private final Overseer overseer;
  private final OwnedTasks owned;
  private final TaskCounts counts;
  private final Home home;
  private final SchedulerConfig config;
  private final String closerName;

  /** Who waits for the tasks; written by itself, read by those that end one. */
  private volatile @Nullable Thread closer;

  Closing(
      Crew crew,
      WorkerThreads threads,
      Overseer overseer,
      OwnedTasks owned,
      TaskCounts counts,
      Home home,
      SchedulerConfig config) {
    this.crew = crew;
    this.threads = threads;
    this.overseer = overseer;
    this.owned = owned;
    this.counts = counts;
    this.home = home;
    this.config = config;
    this.closerName = config.threadName("closer");
  }

  /** The scheduler takes no new tasks any more: cancels all there are. */
  void cancelAll() {
    owned.close();
    try {
      cancelFirstPolls();
    } finally {
      crew.notifyIfWorkWaits();
    }
  }

  /**
   * Direct tasks that have never been idle are not in the list, and may run for long: those that
   * workers are polling now. One that begins later sees that the runtime is closing.
   */
  private void cancelFirstPolls() {
    VarHandle.fullFence(); // closing before the look; pairs with CarriedBody.begin
    for (Worker w : crew.workers()) {
      TaskCell<?> task = w.context().peekTask();
      if (task instanceof DirectCell<?>) {
        task.cancel();
      }
    }
    for (WorkerThread t : threads.spares().withoutWorker()) {
      if (t.peekTask() instanceof DirectCell<?> task) {
        task.cancel();
      }
    }
  }

  /**
   * Waits until every task has ended; the deadline may become later meanwhile.
   *
   * @return false if the deadline passed first
   */
  boolean awaitTasks(LongSupplier deadlineNanos) {
    closer = Thread.currentThread();
    boolean interrupted = false;
    try {
      while (counts.live() > 0) {
        long left = deadlineNanos.getAsLong() - config.machine().nanoTime();
        if (left <= 0) {
          return false;
        }
        // The counts are read in acquire mode: the last may be late by the time of a store buffer.
        LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A task has ended while the scheduler is closing. */
  void taskEnded() {
    LockSupport.unpark(closer);
  }

  /**
   * Ends the threads, and every task that is still there.
   *
   * @return the threads that did not end by the deadline
   */
  List<Thread> terminate(LongSupplier deadlineNanos) {
    try {
      stopThreads();
      List<Thread> alive = new ArrayList<>();
      threads.join(deadlineNanos, alive);
      threads.joinOrNote(overseer::thread, deadlineNanos, alive);
      return alive;
    } finally { // also if there is no memory to wait with: tasks and timers must not stay for ever
      try {
        abandonLeftovers();
      } finally {
        closeTimers();
      }
    }
  }

  private void stopThreads() {
    try {
      threads.terminate();
    } finally {
      overseer.stop();
      for (Worker w : crew.workers()) {
        stop(w);
      }
    }
  }

  private void stop(Worker worker) {
    try {
      crew.driver().unpark(worker.index());
    } catch (Throwable t) { // the others too
      Uncaught.report("the wake of a worker at the end of its runtime", t);
    }
  }

  /**
   * Orphans, and tasks of other runtimes that wait for a timer of this one, must not do so for
   * ever.
   */
  private void closeTimers() {
    try {
      home.timers().close("runtime '" + config.name() + "' is closed: its timers have stopped");
    } catch (Throwable e) { // the driver is still to be closed
      home.failures().uncaught("waker of a timer", e);
    }
  }

  /** A thread that is stuck may still come back to the driver: it is closed when none can. */
  void closeDriverAfter(List<Thread> stuck) {
    try {
      Runnable body =
          () -> {
            stuck.forEach(threads::awaitEnd);
            crew.driver().close();
          };
      config.machine().start(Machine.daemon(closerName, body));
    } catch (Throwable failure) {
      home.failures().notStarted(closerName, " (the driver's descriptors stay open)", failure);
    }
  }

  private void abandonLeftovers() {
    try {
      InjectQueue inject = crew.inject();
      inject.close();
      for (QueueItem t = inject.pop(); t != null; t = inject.pop()) {
        Abandoning.abandon(t);
      }
    } finally {
      try {
        abandonRings();
      } finally {
        threads.wakeIdleAfterClose();
      }
    }
  }

  /** What waits behind a poll that does not return: its worker will not run it. */
  private void abandonRings() {
    var scratch = new LocalRunQueue<QueueItem>(SchedulerTuning.RING_CAPACITY);
    for (Worker w : crew.workers()) {
      QueueItem lifo = w.queue().stealLifo();
      if (lifo != null) {
        Abandoning.abandon(lifo);
      }
      for (QueueItem t = w.queue().stealInto(scratch);
          t != null;
          t = w.queue().stealInto(scratch)) {
        do {
          Abandoning.abandon(t);
          t = scratch.pop();
        } while (t != null);
      }
    }
  }
}
