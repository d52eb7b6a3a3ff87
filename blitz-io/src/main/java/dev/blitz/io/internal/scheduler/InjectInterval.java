package dev.blitz.io.internal.scheduler;

/**
 * After how many polls a worker looks at the inject queue first: so many that a task there waits
 * about a millisecond. Short polls make it rare, long polls frequent. Owner only.
 */
final class InjectInterval {
  private double averagePollNanos = SchedulerTuning.INITIAL_POLL_NANOS;
  private int interval = intervalFor(SchedulerTuning.INITIAL_POLL_NANOS);

  int polls() {
    return interval;
  }

  /** A round of {@code polls} polls took {@code nanos}. */
  void record(int polls, long nanos) {
    if (polls <= 0 || nanos < 0) {
      return;
    }
    double newest = (double) nanos / polls;
    averagePollNanos += SchedulerTuning.EWMA_ALPHA * (newest - averagePollNanos);
    interval = intervalFor(averagePollNanos);
  }

  static int intervalFor(double pollNanos) {
    double polls = SchedulerTuning.TARGET_INJECT_LATENCY_NANOS / Math.max(1, pollNanos);
    return (int)
        Math.clamp(polls, SchedulerTuning.MIN_INJECT_INTERVAL, SchedulerTuning.MAX_INJECT_INTERVAL);
  }
}
