package dev.blitz.io.time;

import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;
import dev.blitz.io.internal.wait.Waiter;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one timer of all who wait in a queue: it is set for the moment at which the oldest can be
 * served, for never if that is not known, and while nobody waits it is not set at all.
 *
 * <p>It is guarded by the queue's lock, inside which the wheel's is taken, and no other: a worker
 * that must know of an earlier moment is told by {@link #tellAndWake}, after the queue's lock. The
 * wheel calls {@link #fire} without any lock, and perhaps just after the alarm was set to another
 * moment; so what {@code onTime} does is to look at the clock, and at {@link #isClosed}: it is also
 * called when the timers close while somebody waits.
 */
/* Implementation notes
 *
 * untold: written by set, under the queue's lock; taken by tellAndWake, by a swap: who takes it tells. The wheel's next
 * tick is written before it, by the volatile store of its schedule, so the telling may come from any thread.
 */
final class WaitAlarm extends TimerEntry {
  private final RuntimeTimers timers;
  private final Runnable onTime;
  private final AtomicLong untold = new AtomicLong(TickClock.NEVER);
  private long dueNanos;

  WaitAlarm(RuntimeTimers timers, Runnable onTime) {
    this.timers = timers;
    this.onTime = onTime;
  }

  /**
   * Goes off at {@code nanos} of the timers' clock and at no other time, NEVER for an unknown one;
   * and when the timers close. Who has begun to wait looks at {@link #isClosed} afterwards.
   */
  void set(long nanos) {
    boolean scheduled = isScheduled();
    if (scheduled && nanos == dueNanos) {
      return;
    }
    dueNanos = nanos;
    try {
      long earlier =
          scheduled
              ? timers.rescheduleSilently(this, nanos)
              : timers.scheduleSilently(this, Current.worker(timers), nanos);
      if (earlier != TickClock.NEVER) {
        untold.accumulateAndGet(earlier, Math::min);
      }
    } catch (IllegalStateException e) {
      if (!timers.isClosed()) {
        throw e;
      } // else whoever waits is told of that
    }
  }

  /** Nobody waits. */
  void unset() {
    if (isScheduled()) {
      timers.cancel(this);
    }
  }

  /**
   * After the queue's lock was given back: lets a worker know of what was set, and wakes those who
   * were served.
   */
  void tellAndWake(@Nullable Link served) {
    try {
      if (untold.get() != TickClock.NEVER) {
        timers.tellEarlier(untold.getAndSet(TickClock.NEVER));
      }
    } finally {
      Waiter.wakeAll(served);
    }
  }

  boolean isClosed() {
    return timers.isClosed();
  }

  /** Throws if the timers are closed, with the reason. */
  void refuseIfClosed() {
    timers.refuseIfClosed();
  }

  /** Throws what one is told who waited when the timers closed. */
  RuntimeException refusal() {
    refuseIfClosed();
    return new IllegalStateException("settled as closed, but the timers are open");
  }

  long nowNanos() {
    return timers.clock().nowNanos();
  }

  @Override
  protected void fire() {
    onTime.run();
  }
}
