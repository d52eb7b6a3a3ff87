package dev.blitz.io.policy;

/**
 * The clock of a runtime. Everything that waits for a time reads this and nothing else, so a test
 * can put a clock of its own in place. It is expected to run as fast as the machine's: a runtime
 * sleeps for as long as this clock says that is left. A clock that stands still is {@code
 * PausedClock} of blitz-test.
 */
@FunctionalInterface
public interface TimeSource {

  /** Nanoseconds since some fixed moment, as {@link System#nanoTime()}. Never goes back. */
  long nanoTime();

  /** The clock of the machine. */
  static TimeSource system() {
    return SystemTimeSource.SYSTEM;
  }
}
