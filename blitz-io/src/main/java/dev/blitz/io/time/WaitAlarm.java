package dev.blitz.io.time;

import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;

/**
 * The one timer of all who wait in a queue: it is set for the moment at which the oldest can be
 * served, and while nobody waits it is not set at all.
 *
 * <p>It is guarded by the queue's lock, inside which the wheel's is taken. The wheel calls {@link
 * #fire} without any lock, and perhaps just after the alarm was set to another moment; so what
 * {@code onTime} does is to look at the clock, and at {@link #isClosed}: it is also called when the
 * timers close while somebody waits.
 */
final class WaitAlarm extends TimerEntry {
  private final RuntimeTimers timers;
  private final Runnable onTime;
  private long dueNanos;
  private boolean listening;

  WaitAlarm(RuntimeTimers timers, Runnable onTime) {
    this.timers = timers;
    this.onTime = onTime;
  }

  /**
   * Goes off at {@code nanos} of the timers' clock and at no other time; NEVER for not at all.
   *
   * @param somebodyWaits whether to be told when the timers close; who has begun to wait looks at
   *     {@link #isClosed} afterwards
   */
  void set(long nanos, boolean somebodyWaits) {
    if (somebodyWaits != listening) {
      listening = somebodyWaits;
      if (somebodyWaits) {
        timers.addCloseListener(onTime);
      } else {
        timers.removeCloseListener(onTime);
      }
    }
    try {
      set(nanos);
    } catch (IllegalStateException e) {
      if (!timers.isClosed()) {
        throw e;
      } // else whoever waits is told of that
    }
  }

  private void set(long nanos) {
    boolean scheduled = isScheduled();
    if (nanos == TickClock.NEVER) {
      if (scheduled) {
        timers.cancel(this);
      }
    } else if (!scheduled) {
      timers.schedule(this, Current.worker(timers), nanos);
    } else if (nanos != dueNanos) {
      timers.reschedule(this, nanos);
    }
    dueNanos = nanos;
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
