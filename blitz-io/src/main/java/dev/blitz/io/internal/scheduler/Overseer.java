package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Debts;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.current.Home;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Looks after workers that are stuck in a long poll: admits the timers they have armed, lets a
 * parked worker take over their queued tasks, the timers and the I/O, and logs the stack of a poll
 * that hogs its worker.
 *
 * <p>A daemon thread that looks every two milliseconds while some worker is awake, and sleeps with
 * no deadline when all are parked: an idle runtime is not disturbed. Where there is one worker,
 * nobody could take over; then it looks more seldom.
 */
/* Implementation notes
 *
 * armed is set by a worker that has left its park, after its bit was cleared; the overseer clears it when it has seen
 * all workers parked several times in a row, then looks once more, then sleeps. Both in volatile mode: either the
 * overseer's last look sees the worker awake, or the worker sees armed == false and wakes the overseer.
 *
 * While there is no thread, whoever has moved armed from false to true is the only one who starts it; refused and
 * refusedNanos are his until he moves it back.
 */
final class Overseer implements Runnable {
  private static final VarHandle ARMED = Fields.of(MethodHandles.lookup(), "armed", boolean.class);

  private final Crew crew;
  private final WorkerThreads threads;
  private final Home home;
  private final SchedulerConfig config;
  private final String threadName;
  private final long lookNanos;
  private final StallDetector stalls;

  /** Looks in a row that have found all workers parked; of its thread. */
  private int quiet;

  private volatile boolean armed;
  private volatile boolean stopped;
  private volatile @Nullable Thread thread;

  /** Whether there was no thread for it, of which somebody has heard. */
  private boolean refused;

  /** When that was, the last time. */
  private long refusedNanos;

  Overseer(Crew crew, WorkerThreads threads, Home home, SchedulerConfig config) {
    this.crew = crew;
    this.threads = threads;
    this.home = home;
    this.config = config;
    this.threadName = config.threadName("overseer");
    int workers = config.workers();
    lookNanos =
        workers == 1
            ? SchedulerTuning.OVERSEER_LONE_LOOK_NANOS
            : SchedulerTuning.OVERSEER_LOOK_NANOS;
    stalls =
        new StallDetector(
            workers, config.stallNanos(), SchedulerTuning.OVERSEER_STEP_LOOKS * lookNanos);
  }

  /** A worker is awake. */
  void arm() {
    if (!armed && ARMED.compareAndSet(this, false, true)) {
      Thread t = thread;
      if (t == null) {
        start();
      } else {
        LockSupport.unpark(t);
      }
    }
  }

  private void start() {
    boolean again = refused;
    if (again
        && config.machine().nanoTime() - refusedNanos < SchedulerTuning.OVERSEER_RETRY_NANOS) {
      armed = false;
      return;
    }
    try {
      Thread t = Machine.daemon(threadName, this);
      thread = t;
      config.machine().start(t);
    } catch (Throwable failure) {
      // Polls that hog a worker go unnoticed until there is a thread; everything else works.
      thread = null;
      refused = true;
      refusedNanos = config.machine().nanoTime();
      armed = false; // somebody who comes later tries again
      if (!again) {
        home.failures().notStarted(threadName, "", failure);
      }
    }
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  @Nullable Thread thread() {
    return thread;
  }

  @Override
  public void run() {
    boolean begun = false;
    while (!stopped) {
      try {
        if (!begun) {
          beginAnew();
          begun = true;
        }
        watch();
      } catch (Throwable t) { // a logger that throws, or no memory, must not end the watch
        home.failures().tryUncaught("overseer", t);
      }
      if (!stopped) {
        LockSupport.parkNanos(this, lookNanos);
        Thread.interrupted(); // a handler or logger may have set it: the next park would spin
      }
    }
  }

  private void watch() {
    if (!crew.idle().allParked()) {
      quiet = 0;
      Debts.pay(); // a thread that is none of ours may owe a wake and never wait again
      look();
      return;
    }
    quiet++;
    if (quiet > SchedulerTuning.OVERSEER_PATIENCE) {
      quiet = 0;
      armed = false;
      if (crew.idle().allParked()) {
        while (!armed && !stopped) {
          sleep();
        }
      } else {
        armed = true;
      }
    }
    beginAnew();
  }

  /** All workers sleep; failures that nobody joins are theirs to tell. */
  private void sleep() {
    if (home.failures().unjoined().isEmpty()) {
      LockSupport.park(this);
    } else {
      LockSupport.parkNanos(this, SchedulerTuning.UNJOINED_LOOK_NANOS);
      if (!armed && !stopped) {
        crew.wakeAnother();
      }
    }
    Thread.interrupted(); // a handler or logger may have set it: the next park would spin
  }

  /** What was noted before a sleep says nothing about a worker that has woken since. */
  private void beginAnew() {
    stalls.beginLook(config.machine().nanoTime());
    for (Worker worker : crew.workers()) {
      stalls.reset(worker.index(), worker.stats().get(WorkerStats.POLLED));
    }
  }

  private void look() {
    stalls.beginLook(config.machine().nanoTime());
    boolean stuck = false;
    for (Worker worker : crew.workers()) {
      int i = worker.index();
      boolean inPoll = worker.isPolling();
      long polled = worker.stats().get(WorkerStats.POLLED);
      var finding = stalls.see(i, polled, crew.idle().isParked(i), inPoll);
      if (finding == StallDetector.Finding.MOVING) {
        continue;
      }
      stuck = true;
      if (worker.queue().hasLifo()) {
        crew.wakeAnother();
      }
      if (crew.driver().relieve(i)) {
        crew.callWorker(); // a parked one looks at the driver instead
      }
      if (finding == StallDetector.Finding.HOGGED
          && !threads.logStall(worker, stalls.seenNanos(i))) {
        stalls.reset(i, polled); // what the poll does later may be the user's
      }
    }
    home.timers().admitAll(); // a worker that is stuck cannot
    if (stuck) {
      relieve();
    }
  }

  /**
   * Busy workers are stuck: lets a parked worker see to queued tasks and timers. Whoever counts as
   * searching may be the one that is stuck, so one more is woken.
   */
  private void relieve() {
    if (crew.hasQueuedWork()) {
      crew.wakeAnother();
    }
    crew.seat().seatSomebody();
  }
}
