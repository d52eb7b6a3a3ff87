package dev.blitz.benchmarks.timers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Sleeps of random length that all begin at once, and how late each ended. */
final class SleepLateness {
  private static final int DIGITS = 3;
  private static final double MAX = 100;

  private final long[] delays;
  private final long[] late;
  private final CountDownLatch left;

  SleepLateness(TimerSizes sizes) {
    delays = sizes.sleepDelays();
    late = new long[delays.length];
    left = new CountDownLatch(delays.length);
  }

  /** Lets a contender do all the sleeps. */
  interface Sleeper {
    void sleep(SleepLateness sleeps) throws Exception;
  }

  /** The lateness in microseconds; a percentile of 100 is the maximum. */
  static double micros(TimerSizes sizes, double percentile, Sleeper sleeper) throws Exception {
    var sleeps = new SleepLateness(sizes);
    sleeper.sleep(sleeps);
    return (double) sleeps.nanosAt(percentile) / TimeUnit.MICROSECONDS.toNanos(1);
  }

  int count() {
    return delays.length;
  }

  /** How long sleep {@code index} shall be, in nanoseconds. */
  long delay(int index) {
    return delays[index];
  }

  /** Sleep {@code index}, which began at {@code startNanos}, is over. Any thread. */
  void over(int index, long startNanos) {
    // An element per sleep: a histogram that all threads write would add to what it measures.
    late[index] = System.nanoTime() - startNanos - delays[index];
    left.countDown();
  }

  void await() throws InterruptedException {
    left.await();
  }

  private long nanosAt(double percentile) {
    var histogram = new Histogram(DIGITS);
    for (long nanos : late) {
      if (nanos < 0) {
        throw new IllegalStateException("a sleep ended " + -nanos + " ns early");
      }
      histogram.recordValue(nanos);
    }
    return percentile == MAX ? histogram.getMaxValue() : histogram.getValueAtPercentile(percentile);
  }
}
