package dev.blitz.io.internal.base;

/** The log as the last place where a failure can be told. */
public final class FailureLog {
  private FailureLog() {}

  /** No constant: a class that fails to initialise, for want of stack, is lost for good. */
  private static System.Logger logger() {
    return System.getLogger("dev.blitz.io");
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
