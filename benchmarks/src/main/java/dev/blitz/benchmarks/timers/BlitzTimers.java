package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.ProcessUsage;
import dev.blitz.io.internal.timer.TimerEntry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

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
      private final TimerEntry[] outstanding = new TimerEntry[sizes.outstanding()];
      private final long delay = TimeUnit.SECONDS.toNanos(TimerSizes.TIMEOUT_SECONDS);
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
        return timer.cancel(old) ? 1 : 0;
      }

      private TimerEntry armed() {
        var entry = new Ignored();
        timer.schedule(entry, delay);
        return entry;
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
