package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.ProcessUsage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The JDK's heap of timers, told to remove what is cancelled, as the others do. */
final class PoolTimers {
  private final TimerSizes sizes;

  PoolTimers(TimerSizes sizes) {
    this.sizes = sizes;
  }

  static ScheduledThreadPoolExecutor pool() {
    var pool = new ScheduledThreadPoolExecutor(1);
    pool.setRemoveOnCancelPolicy(true);
    pool.prestartAllCoreThreads();
    return pool;
  }

  private static void ignore() {}

  /** A fixture with a pool that it shuts down. */
  private abstract static class OnPool implements Fixture {
    final ScheduledThreadPoolExecutor pool = pool();

    @Override
    public void tearDown() {
      pool.shutdownNow();
    }
  }

  Fixture cancelHeavy() {
    return new OnPool() {
      private final ScheduledFuture<?>[] outstanding = new ScheduledFuture<?>[sizes.outstanding()];
      private int slot;

      {
        for (int i = 0; i < outstanding.length; i++) {
          outstanding[i] = armed();
        }
      }

      @Override
      public long run() {
        long cancelled = 0;
        for (int i = 0; i < sizes.cancelled(); i++) {
          cancelled += replace();
        }
        return cancelled;
      }

      private int replace() {
        var old = outstanding[slot];
        outstanding[slot] = armed();
        slot = slot + 1 == outstanding.length ? 0 : slot + 1;
        return old.cancel(false) ? 1 : 0;
      }

      private ScheduledFuture<?> armed() {
        return pool.schedule(PoolTimers::ignore, TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    };
  }

  Fixture cancelAll() {
    return new OnPool() {
      private final long[] delays = sizes.farDelays();

      @Override
      public long run() {
        var futures = new ScheduledFuture<?>[delays.length];
        for (int i = 0; i < delays.length; i++) {
          futures[i] = pool.schedule(PoolTimers::ignore, delays[i], TimeUnit.NANOSECONDS);
        }
        long ended = 0;
        for (var future : futures) {
          ended += future.cancel(false) || future.isDone() ? 1 : 0;
        }
        return ended;
      }
    };
  }

  double expireCpu() throws InterruptedException {
    long[] delays = sizes.nearDelays();
    var latch = new CountDownLatch(delays.length);
    Runnable count = latch::countDown;
    try (var pool = pool()) {
      var before = ProcessUsage.now();
      for (long delay : delays) {
        var _ = pool.schedule(count, delay, TimeUnit.NANOSECONDS);
      }
      latch.await();
      return (double) ProcessUsage.now().minus(before).cpuNanos() / delays.length;
    }
  }

  static void lateness(SleepLateness sleeps) throws InterruptedException {
    try (var pool = pool()) {
      for (int i = 0; i < sleeps.count(); i++) {
        int index = i;
        long start = System.nanoTime();
        var _ =
            pool.schedule(() -> sleeps.over(index, start), sleeps.delay(i), TimeUnit.NANOSECONDS);
      }
      sleeps.await();
    }
  }
}
