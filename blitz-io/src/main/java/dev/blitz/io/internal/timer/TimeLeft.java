package dev.blitz.io.internal.timer;

/** How long until a timer is due, in words: "now", "in 250 ms", "in 3.6 s", "in 2 h 5 min". */
final class TimeLeft {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  private TimeLeft() {}

  static String describe(long nanos) {
    if (nanos == TickClock.NEVER) {
      return "never";
    }
    if (nanos <= 0) {
      return "now";
    }
    if (nanos < SECOND) {
      return "in " + Math.max(1, nanos / MILLI) + " ms";
    }
    if (nanos < MINUTE) {
      return "in " + nanos / SECOND + "." + nanos % SECOND / (100 * MILLI) + " s";
    }
    if (nanos < HOUR) {
      return "in " + nanos / MINUTE + " min " + nanos % MINUTE / SECOND + " s";
    }
    return "in " + nanos / HOUR + " h " + nanos % HOUR / MINUTE + " min";
  }
}
