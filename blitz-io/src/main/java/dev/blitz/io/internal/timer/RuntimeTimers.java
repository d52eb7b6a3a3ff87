package dev.blitz.io.internal.timer;

import dev.blitz.io.time.TimeSource;
import java.time.Duration;

/**
 * The timers of one runtime: the wheel, the clock it turns by, and whom to wake when a timer has
 * become the earliest. Thread safe.
 */
public final class RuntimeTimers {
  private final TimeSource source;
  private final TickClock clock;
  private final HierarchicalTimerWheel wheel = new HierarchicalTimerWheel();
  private final Runnable onEarlier;

  /** {@code onEarlier} is called, on any thread, after the next deadline has moved closer. */
  public RuntimeTimers(TimeSource source, Runnable onEarlier) {
    this.source = source;
    this.clock = new TickClock(source::nanoTime);
    this.onEarlier = onEarlier;
  }

  /** The clock that deadlines are made with. */
  public TickClock clock() {
    return clock;
  }

  /** The runtime's own clock. */
  public TimeSource source() {
    return source;
  }

  /**
   * Arms {@code entry} for the first tick that is not before {@code deadlineNanos} of {@link
   * #clock}.
   */
  public void schedule(TimerEntry entry, long deadlineNanos) {
    if (wheel.schedule(entry, TickClock.tickAtOrAfter(deadlineNanos))) {
      onEarlier.run();
    }
  }

  /** Arms {@code entry} anew, whatever its state. */
  public void reschedule(TimerEntry entry, long deadlineNanos) {
    if (wheel.reschedule(entry, TickClock.tickAtOrAfter(deadlineNanos))) {
      onEarlier.run();
    }
  }

  /** Takes {@code entry} out of the wheel; false if it was not there or has expired. */
  public boolean cancel(TimerEntry entry) {
    return wheel.cancel(entry);
  }

  /** Now plus {@code duration}, on the scale of {@link #clock}. */
  public long deadlineAfter(Duration duration) {
    return clock.deadlineNanos(duration);
  }

  /**
   * When the wheel must be turned next, on the scale of the runtime's clock; MAX_VALUE for never.
   */
  public long nextDeadlineNanos() {
    return clock.sourceNanos(wheel.nextTick());
  }

  /** Fires what is due at {@code nowNanos} of the runtime's clock. */
  public void fireDue(long nowNanos) {
    wheel.advance(clock.tickOf(nowNanos));
  }

  /** Timers that are armed. */
  public int size() {
    return wheel.size();
  }
}
