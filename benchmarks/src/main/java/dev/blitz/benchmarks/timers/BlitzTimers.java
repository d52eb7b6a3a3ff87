package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.ProcessUsage;
import dev.blitz.io.internal.timer.TimerEntry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The subject: the wheel alone, without tasks. */
final class BlitzTimers {
  private final TimerSizes sizes;

  BlitzTimers(TimerSizes sizes) {
    this.sizes = sizes;
  }

  /** A fixture with a timer that it closes. */
  private abstract static class OnTimer implements Fixture {
    final BlitzTimer timer = new BlitzTimer();

    @Override
    public void tearDown() {
      timer.close();
    }
  }

  private static final class Ignored extends TimerEntry {
    @Override
    protected void fire() {}
  }

  private static final class Counted extends TimerEntry {
    private final CountDownLatch latch;

    Counted(CountDownLatch latch) {
      this.latch = latch;
    }

    @Override
    protected void fire() {
      latch.countDown();
    }
  }

  Fixture cancelHeavy() {
    return new OnTimer() {
      private final @Nullable TimerEntry[] outstanding =
          new @Nullable TimerEntry[sizes.outstanding()];
      private final long delay = TimeUnit.SECONDS.toNanos(TimerSizes.TIMEOUT_SECONDS);
      private int slot;

      {
        for (int i = 0; i < outstanding.length; i++) {
          replace();
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
        var entry = new Ignored();
        timer.schedule(entry, delay);
        outstanding[slot] = entry;
        slot = slot + 1 == outstanding.length ? 0 : slot + 1;
        return old != null && timer.cancel(old) ? 1 : 0;
      }
    };
  }

  Fixture cancelAll() {
    return new OnTimer() {
      private final long[] delays = sizes.farDelays();

      @Override
      public long run() {
        var entries = new TimerEntry[delays.length];
        for (int i = 0; i < delays.length; i++) {
          entries[i] = new Ignored();
          timer.schedule(entries[i], delays[i]);
        }
        long ended = 0;
        for (var entry : entries) {
          ended += timer.cancel(entry) || entry.hasFired() ? 1 : 0;
        }
        return ended;
      }
    };
  }

  double expireCpu() throws InterruptedException {
    long[] delays = sizes.nearDelays();
    var latch = new CountDownLatch(delays.length);
    try (var timer = new BlitzTimer()) {
      var before = ProcessUsage.now();
      for (long delay : delays) {
        timer.schedule(new Counted(latch), delay);
      }
      latch.await();
      return (double) ProcessUsage.now().minus(before).cpuNanos() / delays.length;
    }
  }
}
