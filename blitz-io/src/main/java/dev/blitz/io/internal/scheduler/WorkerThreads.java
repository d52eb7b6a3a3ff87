package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.DirectCell;
import dev.blitz.io.internal.task.PinnedLock;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which thread drives which worker: starts them when they are first needed, changes them at a
 * hand-over, joins them at the end.
 */
/* Implementation notes
 *
 * Workers are lazy: an unstarted worker counts as parked, and waking it means starting its thread. The
 * claim of its bit makes sure that one thread only does so.
 *
 *   driving[i]    written by whoever holds the claim of worker i before its thread starts, and at a hand-over; read by all
 *   terminating   set under startLock, which is held while a thread is started: from then on none starts, and
 *                 every thread in `driving` has been started
 */
final class WorkerThreads {
  /** How often an end looks whether a thread that is being started has started: imminent. */
  private static final long STARTING_LOOK_NANOS = 50_000;

  /** How long a start may take before it counts as failed: starting a thread takes microseconds. */
  private static final long LONGEST_START_NANOS = 10_000_000_000L;

  private static final System.Logger LOG = System.getLogger("dev.blitz.io");

  private final Scheduler scheduler;
  private final SchedulerConfig config;
  private final PinnedLock startLock = new PinnedLock();
  private final AtomicReferenceArray<@Nullable WorkerThread> driving;
  private final SpareThreads spares = new SpareThreads();
  private final AtomicInteger spareNumber = new AtomicInteger();
  private volatile boolean terminating;

  WorkerThreads(Scheduler scheduler, SchedulerConfig config) {
    this.scheduler = scheduler;
    this.config = config;
    driving = new AtomicReferenceArray<>(config.workers());
  }

  boolean isStarted(int index) {
    return driving.get(index) != null;
  }

  boolean isTerminating() {
    return terminating;
  }

  SpareThreads spares() {
    return spares;
  }

  // --- Starting ---

  /** Starts the thread of a worker that the caller has claimed. */
  void start(int index) {
    Worker worker = scheduler.workers()[index];
    String name = scheduler.threadName("worker-" + index);
    Throwable problem;
    startLock.lock();
    try {
      if (terminating) {
        scheduler.idle().stopSearching();
        return; // what is queued is ended with the scheduler
      }
      var thread = new WorkerThread(scheduler, worker, name);
      driving.set(index, thread);
      config.starter().accept(thread);
      return;
    } catch (Throwable failure) {
      driving.set(index, null);
      problem = failure;
    } finally {
      startLock.unlock();
    }
    goOnWithout(index, name, problem);
  }

  /** The worker that was claimed does not come: another one must, or nobody ever will. */
  private void goOnWithout(int index, String threadName, Throwable failure) {
    IdleState idle = scheduler.idle();
    boolean last = idle.stopSearching();
    if (!started().isEmpty()) {
      if (last) {
        scheduler.notifyIfWorkWaits(); // before the bit is set again: it must find another worker
      }
      idle.announceParked(index);
      scheduler.uncaught("start of " + threadName + " (the other workers go on)", failure);
      return;
    }
    idle.announceParked(index);
    // Nobody will ever run what is queued.
    var cx = new PollContext(SchedulerTuning.OPERATIONS_PER_POLL);
    InjectQueue inject = scheduler.inject();
    for (QueueItem t = inject.pop(); t != null; t = inject.pop()) {
      t.abandon(cx);
    }
    throw new RejectedExecutionException("cannot start " + threadName + ": " + failure, failure);
  }

  // --- Driving ---

  /** A thread begins, or ends; it tells the user's hook. */
  void began() {
    tellHook(config.onThreadStart());
  }

  void ended() {
    tellHook(config.onThreadStop());
  }

  private void tellHook(Consumer<Thread> hook) {
    try {
      hook.accept(Thread.currentThread());
    } catch (Throwable t) {
      scheduler.uncaught("thread hook", t);
    }
  }

  /**
   * Lets another thread drive {@code worker} instead of {@code from}, which is inside a poll.
   *
   * @return false if there is none: {@code from} must go on driving it
   */
  boolean handOver(Worker worker, WorkerThread from) {
    int index = worker.index();
    PollContext inPoll = worker.context();
    startLock.lock();
    try {
      if (terminating) {
        return false;
      }
      scheduler.busyElsewhere(1); // until `from` has left its poll
      WorkerThread next = spares.take();
      boolean started = next == null;
      if (next == null) {
        String name = scheduler.threadName("worker-" + index + "-spare-");
        next = new WorkerThread(scheduler, worker, name + spareNumber.incrementAndGet());
      }
      spares.addWithoutWorker(from);
      worker.setContext(inPoll.successor());
      driving.set(index, next);
      if (started) {
        config.starter().accept(next);
      } else {
        next.give(worker);
      }
      return true;
    } catch (Throwable failure) {
      worker.setContext(inPoll);
      driving.set(index, from);
      spares.remove(from);
      scheduler.busyElsewhere(-1);
      scheduler.uncaught(
          "start of another thread for " + scheduler.threadName("worker-" + index), failure);
      return false;
    } finally {
      startLock.unlock();
    }
  }

  // --- The end ---

  /** Lets no more threads start, and those that wait for a worker end. */
  void terminate() {
    startLock.lock();
    try {
      terminating = true;
    } finally {
      startLock.unlock();
    }
    spares.close();
  }

  /** After {@link #terminate}: waits for all; those that do not end in time go to {@code alive}. */
  void join(long deadlineNanos, List<Thread> alive) {
    for (int i = 0; i < driving.length(); i++) {
      int index = i;
      joinOrNote(() -> driving.get(index), deadlineNanos, alive);
    }
    for (WorkerThread without : spares.withoutWorker()) {
      joinOrNote(() -> without, deadlineNanos, alive);
    }
  }

  /** Waits for the end of a thread that another may be starting, or failing to start, just now. */
  static void joinOrNote(Supplier<@Nullable Thread> slot, long deadlineNanos, List<Thread> alive) {
    Thread t = slot.get();
    while (t != null && t.getState() == Thread.State.NEW && deadlineNanos - System.nanoTime() > 0) {
      LockSupport.parkNanos(STARTING_LOOK_NANOS);
      t = slot.get();
    }
    if (t != null && (t.getState() == Thread.State.NEW || !joined(t, deadlineNanos))) {
      alive.add(t);
    }
  }

  /** However long it takes, also for one that another thread is starting just now. */
  static void awaitEnd(Thread thread) {
    long end = System.nanoTime() + LONGEST_START_NANOS;
    while (thread.getState() == Thread.State.NEW && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(STARTING_LOOK_NANOS);
    }
    joined(thread, System.nanoTime() + Long.MAX_VALUE / 4);
  }

  private static boolean joined(Thread thread, long deadlineNanos) {
    if (!thread.isAlive()) {
      return true; // also an overseer that has not been started yet: it will end at once
    }
    boolean interrupted = false;
    try {
      for (; ; ) {
        long millis = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
        try {
          return thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // --- Looking in ---

  /** The threads that have been started. */
  List<Thread> started() {
    List<Thread> started = new ArrayList<>();
    for (int i = 0; i < driving.length(); i++) {
      WorkerThread t = driving.get(i);
      if (t != null) {
        started.add(t);
      }
    }
    return started;
  }

  void logStall(Worker worker, long nanos) {
    Thread thread = driving.get(worker.index());
    if (thread == null) {
      return;
    }
    var text =
        new StringBuilder("a poll has been hogging ")
            .append(thread.getName())
            .append(" for ")
            .append(nanos / 1_000_000)
            .append(" ms; move blocking or long work to Task.spawnBlocking:");
    for (StackTraceElement frame : stackOf(worker, thread)) {
      text.append("\n\tat ").append(frame);
    }
    LOG.log(System.Logger.Level.WARNING, text::toString);
  }

  /** The user's lines: of the virtual thread that is mounted, if there is one. */
  private static StackTraceElement[] stackOf(Worker worker, Thread thread) {
    StackTraceElement[] direct =
        worker.context().peekTask() instanceof DirectCell<?> task
            ? task.threadStack()
            : new StackTraceElement[0];
    return direct.length > 0 ? direct : thread.getStackTrace();
  }

  /** What they are doing, one stack each, for a report. */
  List<String> stacks() {
    List<String> stacks = new ArrayList<>();
    for (Worker w : scheduler.workers()) {
      WorkerThread t = driving.get(w.index());
      if (t != null) {
        stacks.add(describe(t, stackOf(w, t)));
      }
    }
    for (WorkerThread t : spares.withoutWorker()) {
      if (t.isAlive()) {
        stacks.add(describe(t, t.getStackTrace()));
      }
    }
    return stacks;
  }

  /** A thread with a stack, as text. */
  static String describe(Thread thread, StackTraceElement[] stack) {
    var text =
        new StringBuilder(thread.getName()).append(" (").append(thread.getState()).append(')');
    for (StackTraceElement frame : stack) {
      text.append("\n    at ").append(frame);
    }
    return text.toString();
  }
}
