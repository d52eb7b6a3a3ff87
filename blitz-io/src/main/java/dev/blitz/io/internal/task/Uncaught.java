package dev.blitz.io.internal.task;

import dev.blitz.io.UncaughtHandler;
import org.jspecify.annotations.Nullable;

/** Where failures go that have no owner. */
public final class Uncaught {
  private Uncaught() {}

  private static final UncaughtHandler LOG = UncaughtHandler.logging();

  /** Tells the current runtime's handler; outside any runtime, the log. */
  public static void report(String what, Throwable failure) {
    TaskHost host = Caller.host();
    if (host != null) {
      host.uncaught(what, failure);
    } else {
      LOG.uncaught(what, failure);
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
      if (second != failure) {
        second.addSuppressed(failure);
      }
      LOG.uncaught("the uncaught handler, told of " + what, second);
      return second;
    }
  }
}
