package dev.blitz.io.time;

/**
 * The clock of a runtime. Everything that waits for a time reads this and nothing else, so a test
 * can put a clock of its own in place.
 */
public interface TimeSource {

  /** Nanoseconds since some fixed moment, as {@link System#nanoTime()}. Never goes back. */
  long nanoTime();

  /**
   * How long an idle thread should really sleep so as not to miss {@code deadlineNanos}; {@link
   * Long#MAX_VALUE} to sleep until it is woken, as a clock that is moved by hand does.
   */
  default long sleepNanos(long deadlineNanos) {
    return deadlineNanos - nanoTime();
  }

  /** The clock of the machine. */
  static TimeSource system() {
    return SystemTimeSource.SYSTEM;
  }
}
