package dev.blitz.io.internal.base;

import org.jspecify.annotations.Nullable;

/**
 * The log as the last place where a failure can be told. Whoever tells has something to end first,
 * an initialiser or a close, so nothing here throws whatever the log does.
 */
public final class FailureLog {
  private FailureLog() {}

  /** No constant: a class that fails to initialise, for want of stack, is lost for good. */
  private static System.Logger logger() {
    return System.getLogger("dev.blitz.io");
  }

  /** Has the log read its configuration, for which there may be no descriptor later. */
  public static void prepare() {
    try {
      var _ = logger().isLoggable(System.Logger.Level.WARNING);
    } catch (Throwable later) {
      // Whatever is to be told is tried then.
    }
  }

  /**
   * Logs a line, if that can be done now: a logger may need memory or a descriptor for its first
   * line, and a handler is the user's.
   *
   * @return whether it was said
   */
  public static boolean tryLog(
      System.Logger.Level level, String message, @Nullable Throwable thrown) {
    try {
      if (thrown == null) {
        logger().log(level, message);
      } else {
        logger().log(level, message, thrown);
      }
      return true;
    } catch (Throwable notNow) {
      return false;
    }
  }

  /**
   * Logs a failure. A logger asks the failure for its text, which may throw; then it is told what
   * can be told without asking.
   */
  public static void log(String what, Throwable failure) {
    try {
      logger().log(System.Logger.Level.ERROR, "uncaught failure of " + what, failure);
    } catch (Throwable t) {
      try {
        logger()
            .log(
                System.Logger.Level.ERROR,
                "uncaught failure of "
                    + what
                    + ": "
                    + Telling.of(failure)
                    + ", which cannot be logged");
      } catch (Throwable nobody) {
        // The log does not work at all, and there is nobody else.
      }
    }
  }
}
