package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Frames;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.ThreadJoin;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
 *   driving[i]    written by whoever holds the claim of worker i before its thread starts, and at a hand-over; read
 *                 by all
 *   terminating   set under startLock, which is held while a thread is started: from then on none starts, and
 *                 every thread in `driving` has been started
 */
final class WorkerThreads {
  /** How often an end looks whether a thread that is being started has started: imminent. */
  private static final long STARTING_LOOK_NANOS = 50_000;

  /** How long a start may take before it counts as failed: starting a thread takes microseconds. */
  private static final long LONGEST_START_NANOS = 10_000_000_000L;

  private final Crew crew;
  private final Home home;
  private final OwnedTasks owned;
  private final SchedulerConfig config;
  private final PinnedLock startLock = new PinnedLock();
  private final AtomicReferenceArray<@Nullable WorkerThread> driving;
  private final SpareThreads spares;
  private final AtomicInteger spareNumber = new AtomicInteger();
  private final AtomicBoolean toldOfLimit = new AtomicBoolean();
  private volatile boolean terminating;

  /** Whether a worker's thread was refused; written before it is. */
  private volatile boolean refused;

  /** Until when workers that have no thread stay without, if others have one. */
  private volatile long retryNanos;

  WorkerThreads(Crew crew, Home home, OwnedTasks owned, SchedulerConfig config) {
    this.crew = crew;
    this.home = home;
    this.owned = owned;
    this.config = config;
    spares = new SpareThreads(config.machine());
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
    Worker worker = crew.workers()[index];
    if (refused && config.machine().nanoTime() - retryNanos < 0 && isAnyAlive()) {
      giveUpClaim(worker, true);
      return;
    }
    try {
      startThread(worker);
    } catch (Throwable failure) {
      goOnWithout(worker, failure);
    }
  }

  private void startThread(Worker worker) {
    startLock.lock();
    try {
      if (terminating) {
        crew.idle().stopSearching();
        return; // what is queued is ended with the scheduler
      }
      var thread = new WorkerThread(this, home, worker, worker.threadName());
      driving.set(worker.index(), thread);
      config.machine().start(thread);
    } catch (Throwable failure) {
      driving.set(worker.index(), null);
      retryNanos = config.machine().nanoTime() + SchedulerTuning.WORKER_RETRY_NANOS;
      refused = true;
      throw failure;
    } finally {
      startLock.unlock();
    }
  }

  /**
   * The worker that was claimed does not come: another one must, or nobody ever will. Takes no
   * memory until the claim is given up and what is queued has somebody to run it, or has ended.
   */
  private void goOnWithout(Worker worker, Throwable failure) {
    boolean others = isAnyStarted();
    giveUpClaim(worker, others);
    if (others) {
      home.failures().notStarted(worker.threadName(), " (the other workers go on)", failure);
      return;
    }
    // Nobody will ever run what is queued.
    InjectQueue inject = crew.inject();
    for (QueueItem t = inject.pop(); t != null; t = inject.pop()) {
      Abandoning.abandon(t);
    }
    throw new RejectedExecutionException(
        "cannot start " + worker.threadName() + ": " + failure, failure);
  }

  private void giveUpClaim(Worker worker, boolean others) {
    IdleState idle = crew.idle();
    boolean last = idle.stopSearching();
    try {
      if (others && last) {
        crew.notifyIfWorkWaits(); // before the bit is set again: it must find another worker
      }
    } finally {
      idle.announceParked(worker.index());
    }
  }

  private boolean isAnyStarted() {
    for (int i = 0; i < driving.length(); i++) {
      if (driving.get(i) != null) {
        return true;
      }
    }
    return false;
  }

  /** As {@link #isAnyStarted}, without those whose start may yet be refused. */
  private boolean isAnyAlive() {
    for (int i = 0; i < driving.length(); i++) {
      Thread thread = driving.get(i);
      if (thread != null && thread.isAlive()) {
        return true;
      }
    }
    return false;
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
    } catch (Throwable t) { // a worker that has got this thread waits for it
      home.failures().tryUncaught("thread hook", t);
    }
  }

  /** Drives a worker until the end, or until {@code thread} has handed it over. */
  void drive(Worker worker, WorkerThread thread) {
    crew.driver().attach(worker.index());
    while (!worker.run(thread)) {
      // What it threw has been told; a worker that gave up would take its queue with it.
    }
  }

  /**
   * Lets another thread drive {@code worker} instead of {@code from}, which is inside a poll. The
   * caller has taken a place; it is given back here if nothing comes of it.
   *
   * @return false if there is none: {@code from} must go on driving it
   */
  boolean handOver(Worker worker, WorkerThread from) {
    int index = worker.index();
    PollContext inPoll = worker.context();
    Throwable problem;
    startLock.lock();
    try {
      if (terminating) {
        home.places().giveBack();
        return false;
      }
      home.busy().add(1); // until `from` has left its poll
      spares.addWithoutWorker(from);
      worker.setContext(inPoll.successor());
      WorkerThread next = spares.take(); // last: one that was taken and got nothing would wait
      boolean started = next == null;
      if (next == null) {
        String name = worker.threadName() + "-spare-" + spareNumber.incrementAndGet();
        next = new WorkerThread(this, home, worker, name);
      }
      driving.set(index, next);
      if (started) {
        config.machine().start(next);
      } else {
        next.give(worker);
      }
      return true;
    } catch (Throwable failure) {
      worker.setContext(inPoll);
      driving.set(index, from);
      spares.remove(from);
      home.busy().add(-1);
      home.places().giveBack();
      problem = failure;
    } finally {
      startLock.unlock();
    }
    // The user's handler is called without the lock.
    home.failures().notStarted("another thread for " + worker.threadName(), "", problem);
    return false;
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
    home.places().close();
  }

  /**
   * Once the inject queue is closed: idle tasks that a shield has kept are ended. Waking one
   * schedules it; outside a worker the closed queue ends it, on a worker the worker does.
   *
   * @return whether the queue is closed
   */
  boolean wakeIdleAfterClose() {
    if (!crew.inject().isClosed()) {
      return false;
    }
    owned.wakeAll();
    return true;
  }

  /** After {@link #terminate}: waits for all; those that do not end in time go to {@code alive}. */
  void join(LongSupplier deadlineNanos, List<Thread> alive) {
    for (int i = 0; i < driving.length(); i++) {
      int index = i;
      joinOrNote(() -> driving.get(index), deadlineNanos, alive);
    }
    for (WorkerThread without : spares.withoutWorker()) {
      joinOrNote(() -> without, deadlineNanos, alive);
    }
  }

  /** Waits for the end of a thread that another may be starting, or failing to start, just now. */
  void joinOrNote(Supplier<@Nullable Thread> slot, LongSupplier deadlineNanos, List<Thread> alive) {
    Thread t = slot.get();
    while (t != null
        && t.getState() == Thread.State.NEW
        && deadlineNanos.getAsLong() - config.machine().nanoTime() > 0) {
      LockSupport.parkNanos(STARTING_LOOK_NANOS);
      t = slot.get();
    }
    if (t != null
        && (t.getState() == Thread.State.NEW
            || !ThreadJoin.until(t, deadlineNanos, config.machine()))) {
      alive.add(t);
    }
  }

  /** However long it takes, also for one that another thread is starting just now. */
  void awaitEnd(Thread thread) {
    long end = config.machine().nanoTime() + LONGEST_START_NANOS;
    while (thread.getState() == Thread.State.NEW && config.machine().nanoTime() - end < 0) {
      LockSupport.parkNanos(STARTING_LOOK_NANOS);
    }
    long never = config.machine().nanoTime() + Long.MAX_VALUE / 4;
    ThreadJoin.until(thread, () -> never, config.machine());
  }

  // --- Looking in ---

  /** Once: a call inside a poll found no place, and blocks its worker. */
  void logInPlaceLimit() {
    if (toldOfLimit.compareAndSet(false, true)) {
      FailureLog.tryLog(
          System.Logger.Level.WARNING,
          "runtime '"
              + config.name()
              + "': "
              + config.inPlaceThreads()
              + " calls block in place already; inside a poll, which cannot wait for its turn, further"
              + " ones block their worker. Raise blockingThreads, or use Task.spawnBlocking",
          null);
    }
  }

  /**
   * Logs the stack of a poll that hogs its worker.
   *
   * @return false if that is not the user's doing, at this moment
   */
  boolean logStall(Worker worker, long nanos) {
    Thread thread = driving.get(worker.index());
    if (thread == null) {
      return false;
    }
    // Of the virtual thread that is mounted, if there is one: the user's lines.
    StackTraceElement[] stack = Sightings.stackOf(worker.context().peekTask(), thread);
    if (Frames.isOwnInitialiser(stack)) {
      return false;
    }
    var text =
        new StringBuilder("a poll has been hogging ")
            .append(thread.getName())
            .append(" for ")
            .append(nanos / 1_000_000)
            .append(" ms; move blocking or long work to Task.spawnBlocking:");
    for (StackTraceElement frame : stack) {
      text.append("\n\tat ").append(frame);
    }
    FailureLog.tryLog(System.Logger.Level.WARNING, text.toString(), null);
    return true;
  }

  /** The thread that drives a worker; null if none was started. */
  @Nullable WorkerThread driving(int index) {
    return driving.get(index);
  }
}
