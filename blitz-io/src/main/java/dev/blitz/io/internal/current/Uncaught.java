package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.policy.UncaughtHandler;
import org.jspecify.annotations.Nullable;

/** Where failures go that have no owner. */
public final class Uncaught {
  private Uncaught() {}

  /** Loads this, for which there may be no memory when something fails. */
  static void prepare() {}

  /** Tells the current runtime's handler; outside any runtime, the log. Never throws. */
  public static void report(String what, Throwable failure) {
    try {
      Home home = Current.home();
      if (home != null) {
        home.failures().uncaught(what, failure);
      } else {
        FailureLog.log(what, failure);
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
      FailureLog.log(what, failure);
      if (second != failure) {
        FailureLog.log("the uncaught handler, told of " + what, second);
      }
      return second;
    }
  }
}
