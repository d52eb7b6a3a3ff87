package dev.blitz.io.internal.timer;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A timer that is its own place in the wheel: whatever waits for a deadline extends it, so that a
 * pending timer costs no further object.
 *
 * <p>An entry belongs to one wheel and one owner at a time. The owner schedules, reschedules and
 * cancels it, one call at a time, from any thread with happens-before between the calls; the wheel
 * fires it. The same entry may be scheduled again once it fired or was cancelled.
 */
public abstract class TimerEntry {
  /*
   * Ownership: all fields belong to the wheel and change under its lock only; state is read
   * without it. Four fields and no more: with the header and compressed references they take 32
   * bytes, which leaves a sleep future two references before it outgrows 40.
   */

  private static final VarHandle STATE =
      Fields.of(MethodHandles.lookup(), "state", int.class).withInvokeExactBehavior();

  /** The one before in the same list; the first entry's is the last one. Null when in no list. */
  @Nullable TimerEntry prev;

  /** The one after in the same list, null for the last. */
  @Nullable TimerEntry next;

  /**
   * When it is due; meaningless before the first schedule. Negative while the entry is fresh: the
   * complement of the nanoseconds that it is due after the wheel has admitted it.
   */
  private long deadlineTick;

  @SuppressWarnings("UnusedVariable") // also through STATE
  private int state;

  /** For subclasses. */
  protected TimerEntry() {}

  /**
   * Called once for every schedule that was neither cancelled nor rescheduled in time, after the
   * deadline, by a thread that advances the wheel and holds no lock of it.
   *
   * <p>It may schedule and cancel timers, this one included. It is a notification, not the fact:
   * {@link #hasFired()} is true before it is called, so an owner that looks may reschedule the
   * entry first, and then this call comes while the entry is pending again. It must not block; what
   * it throws reaches the caller of {@code advance} after all other timers have fired.
   *
   * <p>It is also called when the runtime closes before the deadline: then {@link #hasFired()} is
   * false, and the timers refuse whoever asks.
   */
  protected abstract void fire();

  /**
   * Whether the deadline passed before a cancel came. A volatile read: an owner that writes its
   * waker with volatile mode and then reads false here will have that waker seen by {@link
   * #fire()}.
   *
   * @return true from the expiry until the entry is scheduled again
   */
  public final boolean hasFired() {
    return (int) STATE.getVolatile(this) == TimerState.FIRED;
  }

  /**
   * Whether the entry is in the wheel, as seen by its owner.
   *
   * @return true after schedule, until it is cancelled or expires
   */
  public final boolean isScheduled() {
    return TimerState.isPending((int) STATE.getAcquire(this));
  }

  /**
   * When it is due.
   *
   * @return the tick it was last scheduled for, or, had that passed already, the wheel's time then
   */
  final long deadlineTick() {
    return deadlineTick;
  }

  /** Whether it has a duration and no deadline yet. */
  final boolean isFresh() {
    return deadlineTick < 0;
  }

  /** How long after it is admitted a fresh entry is due. */
  final long freshNanos() {
    return ~deadlineTick;
  }

  /**
   * When it is due, for people to read.
   *
   * @return such as "in 3.6 s"; a guess while another thread uses the entry
   */
  public final String describeTimeLeft(TickClock clock) {
    long d = deadlineTick;
    return TimeLeft.describe(d < 0 ? ~d : clock.nanosUntil(d));
  }

  final int position() {
    return TimerState.position(state);
  }

  /** The number of the wheel that holds it, or -1; exact for the owner. */
  final int wheel() {
    int now = (int) STATE.getAcquire(this);
    return TimerState.isPending(now) ? TimerState.wheel(now) : -1;
  }

  /** IDLE or FIRED to PENDING. */
  final void enter(int wheel, int position, long tick) {
    state = TimerState.schedule(state, wheel, position);
    deadlineTick = tick;
  }

  /** IDLE or FIRED to PENDING, without a deadline. */
  final void enterFresh(int wheel, int position, long nanos) {
    enter(wheel, position, ~nanos);
  }

  /** From fresh to due at a tick. */
  final void admit(int position, long tick) {
    state = TimerState.move(state, position);
    deadlineTick = tick;
  }

  /** PENDING to PENDING elsewhere. */
  final void move(int position) {
    state = TimerState.move(state, position);
  }

  /** PENDING to IDLE. */
  final void leave() {
    state = TimerState.cancel(state);
  }

  /** PENDING to FIRED. Volatile: pairs with {@link #hasFired()}, before {@link #fire()} reads. */
  final void expire() {
    STATE.setVolatile(this, TimerState.fire(state));
  }

  /** The state, for those who print or check. */
  final String describeState() {
    return TimerState.describe((int) STATE.getOpaque(this));
  }
}
