package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.ProcessUsage;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Netty's timer, with the shortest ticks that it does not warn about. */
final class NettyTimers {
  private static final TimerTask IGNORED = timeout -> {};

  private final TimerSizes sizes;

  NettyTimers(TimerSizes sizes) {
    this.sizes = sizes;
  }

  static HashedWheelTimer timer() {
    var timer = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
    timer.start();
    return timer;
  }

  /** A fixture with a timer that it stops. */
  private abstract static class OnTimer implements Fixture {
    final HashedWheelTimer timer = timer();

    @Override
    public void tearDown() {
      timer.stop();
    }
  }

  Fixture cancelHeavy() {
    return new OnTimer() {
      private final Timeout[] outstanding = new Timeout[sizes.outstanding()];
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
        return old.cancel() ? 1 : 0;
      }

      private Timeout armed() {
        return timer.newTimeout(IGNORED, TimerSizes.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
    };
  }

  Fixture cancelAll() {
    return new OnTimer() {
      private final long[] delays = sizes.farDelays();

      @Override
      public long run() {
        var timeouts = new Timeout[delays.length];
        for (int i = 0; i < delays.length; i++) {
          timeouts[i] = timer.newTimeout(IGNORED, delays[i], TimeUnit.NANOSECONDS);
        }
        long ended = 0;
        for (var timeout : timeouts) {
          ended += timeout.cancel() || timeout.isExpired() ? 1 : 0;
        }
        return ended;
      }
    };
  }

  double expireCpu() throws InterruptedException {
    long[] delays = sizes.nearDelays();
    var latch = new CountDownLatch(delays.length);
    TimerTask count = timeout -> latch.countDown();
    var timer = timer();
    try {
      var before = ProcessUsage.now();
      for (long delay : delays) {
        timer.newTimeout(count, delay, TimeUnit.NANOSECONDS);
      }
      latch.await();
      return (double) ProcessUsage.now().minus(before).cpuNanos() / delays.length;
    } finally {
      timer.stop();
    }
  }

  static void lateness(SleepLateness sleeps) throws InterruptedException {
    var timer = timer();
    try {
      for (int i = 0; i < sleeps.count(); i++) {
        int index = i;
        long start = System.nanoTime();
        timer.newTimeout(t -> sleeps.over(index, start), sleeps.delay(i), TimeUnit.NANOSECONDS);
      }
      sleeps.await();
    } finally {
      timer.stop();
    }
  }
}
