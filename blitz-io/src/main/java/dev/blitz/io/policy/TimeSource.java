package dev.blitz.io.policy;

/**
 * The clock of a runtime. Everything that waits for a time reads this and nothing else, so a test
 * can put a clock of its own in place.
 */
public interface TimeSource {

  /** Nanoseconds since some fixed moment, as {@link System#nanoTime()}. Never goes back. */
  long nanoTime();

  /** Whether this clock moves only when somebody moves it. */
  default boolean isManual() {
    return false;
  }

  /**
   * Asks a manual clock to move on, because the runtime has nothing to do before {@code
   * deadlineNanos}, or, if that is {@link Long#MAX_VALUE}, until something comes from outside.
   *
   * @return whether the clock now reads that or later
   */
  default boolean skipTo(long deadlineNanos) {
    return false;
  }

  /**
   * Calls {@code listener} after each move of a manual clock. A runtime listens until it is closed.
   */
  default void addListener(Runnable listener) {}

  /** Forgets a listener. */
  default void removeListener(Runnable listener) {}

  /** The clock of the machine. */
  static TimeSource system() {
    return SystemTimeSource.SYSTEM;
  }
}
