package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.timer.DeadlineAccess;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A future that is its own timer: armed in the first poll, unlinked on drop. */
/* Implementation notes
 *
 * Protocol: the owner writes `waker`, then reads hasFired(); the wheel marks the entry as fired, then calls
 * fire(), which reads `waker`. Both words are volatile, so either the poll sees the expiry or fire() sees the
 * waker of that poll. A close of the timers, which calls fire() too, is seen in the same way. While the entry is in no
 * wheel the owner writes `waker` plainly: the wheel's lock publishes it.
 */
public abstract class TimerFuture extends TimerEntry {
  private static final VarHandle WAKER = Fields.of(MethodHandles.lookup(), "waker", Waker.class);

  private static final Object ENDED = "ended";

  private @Nullable Waker waker;

  /**
   * The RuntimeTimers where the entry is armed; before that, what a subclass wants to keep here.
   * One field instead of two, so that a sleep takes 40 bytes. Owner only.
   */
  private @Nullable Object timers;

  /** {@code note} is what {@link #note} returns until the timer is armed. */
  protected TimerFuture(@Nullable Object note) {
    timers = note;
  }

  /** What the constructor was given; once armed, something else. */
  protected final @Nullable Object note() {
    return timers;
  }

  /** Whether it has been armed. */
  protected final boolean isArmed() {
    return timers instanceof RuntimeTimers;
  }

  /** Such as "in 3.6 s"; for any thread, once it is armed. */
  protected final String describeTimeLeft() {
    return timers instanceof RuntimeTimers t ? describeTimeLeft(t.clock()) : "not armed";
  }

  /** Where it is armed, which need not be where it is polled. */
  protected final RuntimeTimers armedOn() {
    if (timers instanceof RuntimeTimers t) {
      return t;
    }
    throw new IllegalStateException("not armed: " + this);
  }

  /** Arms the timer for a moment; the owner's first poll. */
  protected final void armAt(RuntimeTimers timers, long deadlineNanos, Context cx) {
    waker = cx.waker();
    this.timers = timers;
    timers.schedule(this, Current.worker(timers), deadlineNanos);
  }

  /**
   * Arms the timer for a Duration from now or for a Deadline, unless that is over; the owner's
   * first poll.
   *
   * @return whether it is over
   */
  protected final boolean armUnlessOver(Object when, Context cx) {
    RuntimeTimers here = timersOf(cx);
    if (when instanceof Deadline deadline) {
      long deadlineNanos = DeadlineAccess.nanosOn(deadline, here);
      if (deadlineNanos <= here.clock().nowNanos()) {
        return true;
      }
      armAt(here, deadlineNanos, cx);
    } else if (when instanceof Duration duration) {
      if (duration.isZero() || duration.isNegative()) {
        return true;
      }
      waker = cx.waker();
      timers = here;
      here.scheduleAfter(this, Current.worker(here), TickClock.saturatedNanos(duration));
    } else {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    return hasFired();
  }

  /** It has yielded its result: the next poll is a mistake. */
  protected final void end() {
    timers = ENDED;
  }

  /** The timers of the runtime in which the poll of {@code cx} takes place. */
  protected static RuntimeTimers timersOf(Context cx) {
    RuntimeTimers own = cx instanceof TaskPoll p ? p.timers() : null;
    return own != null ? own : Current.required("a timer").timers();
  }

  /** Whether the deadline has passed; if not, the task of {@code cx} will be woken when it does. */
  protected final boolean pollTimer(Context cx) {
    Waker mine = cx.waker();
    if (waker != mine) {
      WAKER.setVolatile(this, mine);
    }
    if (hasFired()) {
      return true;
    }
    if (timers instanceof RuntimeTimers t) {
      t.refuseIfClosed(); // where it is armed, which need not be where it is polled
    }
    return false;
  }

  /** Takes the timer back; it may be armed again. */
  protected final void disarm() {
    if (timers instanceof RuntimeTimers t) {
      t.cancel(this);
      waker = null;
    }
  }

  /** Takes the timer back for good. */
  protected final void discard() {
    waker = null; // if it fires nevertheless, it wakes nobody
    if (timers instanceof RuntimeTimers t) {
      t.discard(this, Current.worker(t));
    }
  }

  @Override
  protected final void fire() {
    var w = (@Nullable Waker) WAKER.getVolatile(this);
    if (w != null) {
      w.wake();
    }
  }
}
