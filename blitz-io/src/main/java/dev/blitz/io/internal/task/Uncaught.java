package dev.blitz.io.internal.task;

import dev.blitz.io.UncaughtHandler;
import org.jspecify.annotations.Nullable;

/** Where failures go that have no owner. */
public final class Uncaught {
  private Uncaught() {}

  /** Tells the current runtime's handler; outside any runtime, the log. Never throws. */
  public static void report(String what, Throwable failure) {
    try {
      TaskHost host = Caller.host();
      if (host != null) {
        host.uncaught(what, failure);
      } else {
        log(what, failure);
      }
    } catch (Throwable nobody) {
      // Out of stack or memory: the caller has more important things to do.
    }
  }

  /**
   * Tells {@code handler}; if that throws, the log hears of both.
   *
   * @return what the handler threw
   */
  public static @Nullable Throwable tell(UncaughtHandler handler, String what, Throwable failure) {
    try {
      handler.uncaught(what, failure);
      return null;
    } catch (Throwable second) {
      log(what, failure);
      if (second != failure) {
        log("the uncaught handler, told of " + what, second);
      }
      return second;
    }
  }

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
        logger().log(
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
