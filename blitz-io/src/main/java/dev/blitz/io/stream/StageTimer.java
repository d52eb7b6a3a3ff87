package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.wait.TimerFuture;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The timer of a stage, set again and again. It is set without being armed: only who waits for it
 * arms it, so that items which come in time cost a look at the clock.
 */
final class StageTimer extends TimerFuture {
  private @Nullable RuntimeTimers clockOf;
  private long dueNanos;
  private boolean armed;

  StageTimer() {
    super(null);
  }

  /** A length of time that a stage waits for. */
  static Duration checked(Duration duration) {
    if (Objects.requireNonNull(duration, "duration").isNegative()) {
      throw new IllegalArgumentException("a duration is not negative: " + duration);
    }
    return duration;
  }

  /** What the clock of whoever polls says. */
  static long nowNanos(Context cx) {
    return timersOf(cx).clock().nowNanos();
  }

  boolean isSet() {
    return clockOf != null;
  }

  /** It is due so long from now, by the clock of whoever polls, also if it was set before. */
  void set(Duration length, Context cx) {
    forget();
    RuntimeTimers here = timersOf(cx);
    clockOf = here;
    dueNanos = here.deadlineAfter(length);
  }

  void unset() {
    forget();
    clockOf = null;
  }

  /** Whether it is due; nobody is woken when it is. */
  boolean isDue() {
    return dueNanos != TickClock.NEVER && dueNanos <= clock().clock().nowNanos();
  }

  /** Whether it is due; if not, the task of {@code cx} will be woken when it is. */
  boolean poll(Context cx) {
    if (armed) {
      return pollTimer(cx);
    }
    if (isDue()) {
      return true;
    }
    armed = true;
    armAt(clock(), dueNanos, cx);
    return hasFired();
  }

  private RuntimeTimers clock() {
    return Objects.requireNonNull(clockOf, "not set");
  }

  /** Nobody waits for it. It stays set. */
  void forget() {
    if (armed) {
      armed = false;
      disarm();
    }
  }

  @Override
  public String toString() {
    return armed ? "a timer that is due " + describeTimeLeft() : "a timer";
  }
}
