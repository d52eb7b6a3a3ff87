package dev.blitz.io.internal.direct;

import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.CallLimit;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Inside;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;
import dev.blitz.io.internal.wait.SafeCalls;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A call on its own thread with a limit: when that passes, the thread is interrupted. */
/* Implementation notes
 *
 * The interrupt is the same that a cancellation sends, so whatever waits in the call ends; at the end of the call it is
 * taken back. Calls nest: each knows the one around it, and the thread's place the innermost. The interrupt may be
 * swallowed by the code, so those who wait later ask isPassed() too.
 *
 *   field        | written by             | guarded by | meaning
 *   passed       | fire; begin if zero    | lock       | the limit has passed before the call was over
 *   over         | the thread, at the end | lock       | the timer comes too late
 *   shields      | the thread             | lock       | shields inside the call: the interrupt waits for their end
 *   interrupting | fire                   | lock       | an interrupt is on its way
 *
 * An interrupt may close a channel, which is others' code: so fire() sends it without the lock. Where an interrupt must
 * not come later, at the end and in a shield, the thread waits until none is on its way, and takes it back then.
 */
public final class TimedCall extends TimerEntry implements CallLimit {
  private final PinnedLock lock = new PinnedLock();
  private final Home home;
  private final @Nullable TimedCall outer;
  private final @Nullable DirectBody<?> direct;
  private final Thread thread;
  private boolean passed;
  private boolean over;
  private int shields;
  private boolean interrupting;

  private TimedCall(Home home, @Nullable TimedCall outer) {
    this.home = home;
    this.outer = outer;
    this.direct = DirectBody.current();
    this.thread = Thread.currentThread();
  }

  private static @Nullable TimedCall innermost() {
    Inside here = Current.here();
    return here == null ? null : (@Nullable TimedCall) here.limit();
  }

  /**
   * Calls {@code body} with a limit.
   *
   * @throws TimedOutException if the limit has passed and the body has not ended with a value
   */
  public static <V> V call(Duration limit, ThrowingSupplier<? extends V> body) throws Exception {
    if (Current.isWorker()) {
      throw new IllegalStateException(
          "a time-out around a block would block worker "
              + Thread.currentThread().getName()
              + ": inside a poll, give the future one");
    }
    StackRoom.forMany();
    Home home = Current.required("a time-out");
    RuntimeTimers timers = home.timers();
    Inside here = Objects.requireNonNull(Current.here());
    boolean interruptedBefore = Thread.currentThread().isInterrupted();
    var call = new TimedCall(home, (@Nullable TimedCall) here.limit());
    call.begin(timers, limit);
    V value;
    here.setLimit(call);
    try {
      value = body.get();
    } catch (Throwable t) {
      here.setLimit(call.outer);
      if (call.end(timers, interruptedBefore) && t instanceof Exception && !isCancelled()) {
        var timedOut = new TimedOutException("the limit of " + limit + " passed in a block");
        timedOut.initCause(t);
        throw timedOut;
      }
      throw t;
    }
    here.setLimit(call.outer);
    call.end(timers, interruptedBefore);
    return value;
  }

  private void begin(RuntimeTimers timers, Duration limit) {
    if (limit.isZero() || limit.isNegative()) {
      passed = true;
      interrupt();
      return;
    }
    boolean pinned = CarrierAccess.pin(); // it takes locks of the workers; it may start one
    try {
      timers.scheduleAfter(this, Current.worker(timers), TickClock.saturatedNanos(limit));
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  /** Takes back the timer or what it has done; whether the limit has passed. */
  private boolean end(RuntimeTimers timers, boolean interruptedBefore) {
    lock.lock();
    try {
      over = true;
      if (!passed) {
        timers.cancel(this);
        return false;
      }
    } finally {
      lock.unlock();
    }
    takeBackInterrupt();
    if (interruptedBefore || isCancelled() || anyPassed(outer)) {
      thread.interrupt();
    }
    return true;
  }

  private static boolean isCancelled() {
    JoinCell<?> task = Caller.task();
    return task != null && task.isCancelledHere();
  }

  private static boolean anyPassed(@Nullable TimedCall innermost) {
    for (TimedCall call = innermost; call != null; call = call.outer) {
      if (call.hasPassed()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isPassed() {
    return anyPassed(this);
  }

  private boolean hasPassed() {
    lock.lock();
    try {
      return passed && shields == 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  protected void fire() {
    if (!hasFired()) {
      return; // the timers close: so do the tasks
    }
    lock.lock();
    try {
      passed |= !over;
      if (over || shields > 0) {
        return;
      }
      interrupting = true;
    } finally {
      lock.unlock();
    }
    try {
      interrupt();
    } finally {
      endInterrupting();
    }
  }

  private void endInterrupting() {
    lock.lock();
    try {
      interrupting = false;
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
  }

  private boolean isInterrupting() {
    lock.lock();
    try {
      return interrupting;
    } finally {
      lock.unlock();
    }
  }

  /** For the thread, once no further interrupt can begin. */
  private void takeBackInterrupt() {
    for (; ; ) {
      boolean onItsWay = isInterrupting();
      Thread.interrupted(); // after the look: what has come by then is taken back
      if (!onItsWay) {
        return;
      }
      LockSupport.park(this);
    }
  }

  private void interrupt() {
    if (direct != null) {
      direct.interrupt();
    } else {
      SafeCalls.interrupt(thread, home);
    }
  }

  // --- Shields ---

  /** The calling thread enters a shield: limits that pass have to wait. */
  static void enterShield() {
    for (TimedCall call = innermost(); call != null; call = call.outer) {
      boolean passed;
      call.lock.lock();
      try {
        call.shields++;
        passed = call.passed;
      } finally {
        call.lock.unlock();
      }
      if (passed) {
        call.takeBackInterrupt();
      }
    }
  }

  /** It leaves it: what has waited takes effect. */
  static void exitShield() {
    for (TimedCall call = innermost(); call != null; call = call.outer) {
      boolean due;
      call.lock.lock();
      try {
        due = --call.shields == 0 && call.passed;
      } finally {
        call.lock.unlock();
      }
      if (due) {
        call.thread.interrupt();
      }
    }
  }
}
