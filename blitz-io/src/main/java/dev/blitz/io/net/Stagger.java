package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.TimerFuture;
import java.time.Duration;

/**
 * The wait between two attempts, on the timers of the socket's runtime: the future may be awaited
 * outside any.
 */
final class Stagger extends TimerFuture {
  /** RFC 8305's recommendation. */
  static final Duration DELAY = Duration.ofMillis(250);

  private final RuntimeTimers on;
  private final Duration delay;

  Stagger(RuntimeTimers on) {
    this(on, DELAY);
  }

  Stagger(RuntimeTimers on, Duration delay) {
    super(null);
    this.on = on;
    this.delay = delay;
  }

  /** Whether it is over; counts from the first call. */
  boolean poll(Context cx) {
    if (isArmed()) {
      return pollTimer(cx);
    }
    armAt(on, on.deadlineAfter(delay), cx);
    return hasFired();
  }

  void drop() {
    discard();
  }
}
