package dev.blitz.io;

import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.observe.CloseReport;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The end of a runtime, made once whoever asks for it and however often. Any thread may ask and
 * wait, except the runtime's own.
 *
 * <p>The work is done by a thread of its own, so nobody who waits can be in its way: not a virtual
 * thread that the runtime's workers carry, nor a task whose worker another one needs that waits
 * too. It lasts until the latest deadline that somebody has asked for; who was more impatient
 * returns before, with a report of what is running then.
 */
/* Implementation notes
 *
 * Protocol
 *   ASK     raise `latest`, enter `waiters`, wake those who wait: they may now leave at their own deadline
 *   BEGIN   who moves `begun` to true starts the thread; if none can be started it does the work itself
 *   WAIT    park until there is a report, or the own deadline has passed and somebody is more patient
 *   END     the thread writes `report`, then wakes all waiters
 * No lock: a virtual thread could keep its place in a lock's queue while nobody carries it.
 *
 * Orderings
 *   field    | writer              | reader         | mode     | pairs with
 *   report   | END                 | WAIT           | volatile | waiters: END writes, then looks there; WAIT vice versa
 *   latest   | ASK                 | WAIT, the work | atomic   | waiters, in the same way
 *   begun    | BEGIN, by CAS       | WAIT           | atomic   | back to false if nothing was begun; then all try
 *   worker   | BEGIN, before start | WAIT           | volatile | who has a report waits for the end of this thread
 */
final class RuntimeEnd {
  /** How often a caller looks whether the thread that has done its work is gone: imminent. */
  private static final long GONE_LOOK_NANOS = 20_000;

  /** Made beforehand, for an end that has failed for want of memory. */
  private static final CloseReport FAILED =
      new CloseReport(false, List.of("unknown: the close itself has failed"), List.of());

  private static final Consumer<Thread> WAKE = RuntimeEnd::wake;

  private final Home home;
  private final String threadName;
  private final Machine machine;
  private final Work work;
  private final Supplier<CloseReport> soFar;
  private final long patienceNanos;

  private final long origin;
  private final LongSupplier deadline = this::deadlineNanos;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicLong latest = new AtomicLong();
  private final Queue<Thread> waiters = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread worker;
  private volatile @Nullable CloseReport report;

  /** What is to be done once. */
  @FunctionalInterface
  interface Work {
    /** {@code deadlineNanos}: on the scale of nanoTime; may become later meanwhile. */
    CloseReport run(LongSupplier deadlineNanos);
  }

  /**
   * Begins nothing yet.
   *
   * @param soFar what is still running, for those who leave before the end
   * @param patienceNanos how long after the last deadline the end may take: the user's code that is
   *     called then may never return
   */
  RuntimeEnd(
      Home home,
      String threadName,
      Machine machine,
      Work work,
      Supplier<CloseReport> soFar,
      long patienceNanos) {
    this.home = home;
    this.threadName = threadName;
    this.machine = machine;
    this.origin = machine.nanoTime();
    this.work = work;
    this.soFar = soFar;
    this.patienceNanos = patienceNanos;
  }

  /** Begins the end unless it has begun, and waits for it. */
  CloseReport await(long limitNanos) {
    long own = elapsed() + limitNanos;
    CloseReport before = report;
    if (Thread.currentThread() == worker) {
      throw new IllegalStateException(threadName + " is closing its runtime already");
    }
    if (before != null) {
      awaitThread();
      return before;
    }
    Current.leaveWorker(); // that of another runtime, whose tasks this one may wait for
    latest.accumulateAndGet(own, Math::max);
    Thread me = Thread.currentThread();
    waiters.add(me);
    boolean interrupted = false;
    try {
      wakeWaiters();
      for (; ; ) {
        if (!begun.get() && begun.compareAndSet(false, true)) {
          begin();
        }
        CloseReport done = report;
        if (done != null) {
          awaitThread();
          return done;
        }
        long now = elapsed();
        long until = now < own ? own : latest.get() > own ? now : own + patienceNanos;
        if (until <= now) {
          return soFar.get();
        }
        LockSupport.parkNanos(this, until - now);
        interrupted |= Thread.interrupted();
      }
    } finally {
      waiters.remove(me);
      if (interrupted) {
        me.interrupt();
      }
    }
  }

  private long elapsed() {
    return machine.nanoTime() - origin;
  }

  private void begin() {
    try {
      var thread = new ClosingThread(home, threadName, this::run);
      worker = thread;
      machine.start(thread);
    } catch (Throwable failure) {
      if (CarrierAccess.currentCarrier() instanceof RuntimeThread t && t.home() == home) {
        worker = null;
        begun.set(false);
        wakeWaiters();
        throw new IllegalStateException(
            "a thread that its own workers carry cannot close "
                + home.api()
                + " without another one, and that cannot be started: "
                + failure,
            failure);
      }
      worker = Thread.currentThread();
      try {
        run();
      } finally {
        worker = null; // it goes on to other things: nobody may wait for its end
      }
    }
  }

  /** The latest that somebody has asked for. */
  private long deadlineNanos() {
    return origin + latest.get();
  }

  private void run() {
    CloseReport result = FAILED;
    try {
      result = work.run(deadline);
    } catch (Throwable t) {
      result = afterFailure(t);
    } finally {
      report = result;
      wakeWaiters();
    }
  }

  /** There may be no memory to tell of it, nor for what is left. */
  private CloseReport afterFailure(Throwable failure) {
    try {
      home.failures().uncaught(threadName, failure);
      return soFar.get();
    } catch (Throwable untold) {
      return FAILED;
    }
  }

  /** Takes no memory: nobody must wait for a report that has come. */
  private void wakeWaiters() {
    waiters.forEach(WAKE);
  }

  /** A virtual thread is woken by its scheduler, which may throw; the others are woken then too. */
  private static void wake(Thread waiter) {
    try {
      if (waiter != Thread.currentThread()) {
        LockSupport.unpark(waiter);
      }
    } catch (Throwable t) {
      Uncaught.report("the wake of a thread that waits for the end of a runtime", t);
    }
  }

  /** Its last step is behind it: when a close returns, no thread is left. */
  private void awaitThread() {
    for (Thread t = worker; t != null && t != Thread.currentThread() && t.isAlive(); t = worker) {
      LockSupport.parkNanos(GONE_LOOK_NANOS);
    }
  }

  /** It belongs to the runtime: what it calls finds the runtime, and cannot close it. */
  private static final class ClosingThread extends RuntimeThread {
    private final Runnable body;

    ClosingThread(Home home, String name, Runnable body) {
      super(home, name);
      this.body = body;
    }

    @Override
    public boolean isWorker() {
      return false;
    }

    @Override
    public void run() {
      body.run();
    }
  }
}
