package dev.blitz.io.internal.wait;

import dev.blitz.io.internal.timer.RuntimeTimers;

/**
 * A moment on the clock of some timers: what a {@code Deadline} is to those who arm timers. A class
 * and not a method of the deadline, since users see that.
 */
public abstract class Moment {
  /** Whose clock it is. */
  protected final RuntimeTimers timers;

  /** By that clock. */
  protected final long nanos;

  protected Moment(RuntimeTimers timers, long nanos) {
    this.timers = timers;
    this.nanos = nanos;
  }

  /** In nanoseconds, for those who use the same clock. */
  static long nanosOn(Moment moment, RuntimeTimers timers) {
    if (timers != moment.timers) {
      throw new IllegalArgumentException(
          "this deadline was made in another runtime, whose clock may be a different one");
    }
    return moment.nanos;
  }
}
