package dev.blitz.benchmarks.timers;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * How much one run of each workload does.
 *
 * @param cancelled timers that are scheduled and cancelled
 * @param outstanding of them at a time
 * @param pending timers that are all scheduled before the first is cancelled or expires
 * @param tasks that guard what they wait for with a time-out, {@code guards} times each
 * @param guards of each
 * @param sleeps of which the lateness is taken
 */
record TimerSizes(int cancelled, int outstanding, int pending, int tasks, int guards, int sleeps) {

  static final TimerSizes FULL = new TimerSizes(100_000, 1_000, 1_000_000, 1_000, 100, 10_000);

  /** What a time-out that never fires is set to. */
  static final long TIMEOUT_SECONDS = 30;

  private static final long SEED = 4;

  /** So many that are scheduled before the first is cancelled. */
  TimerSizes pending(int count) {
    return new TimerSizes(cancelled, outstanding, count, tasks, guards, sleeps);
  }

  /** From a millisecond to an hour, as many as are pending. */
  long[] farDelays() {
    return random(pending, TimeUnit.HOURS.toNanos(1));
  }

  /** From a millisecond to a second, as many as are pending. */
  long[] nearDelays() {
    return random(pending, TimeUnit.SECONDS.toNanos(1));
  }

  /** From 1 to 200 milliseconds, as many as there are sleeps. */
  long[] sleepDelays() {
    return random(sleeps, TimeUnit.MILLISECONDS.toNanos(200));
  }

  private static long[] random(int count, long mostNanos) {
    return new Random(SEED).longs(count, TimeUnit.MILLISECONDS.toNanos(1), mostNanos + 1).toArray();
  }
}
