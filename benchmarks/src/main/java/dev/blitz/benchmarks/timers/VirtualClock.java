package dev.blitz.benchmarks.timers;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.internal.timer.HierarchicalTimerWheel;
import dev.blitz.io.internal.timer.TickClock;
import dev.blitz.io.internal.timer.TimerEntry;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Expiry without waiting: the clock jumps from deadline to deadline. Netty and the pool cannot do
 * this, so the peer is the structure that such timers are commonly made of.
 */
final class VirtualClock {
  private final TimerSizes sizes;

  VirtualClock(TimerSizes sizes) {
    this.sizes = sizes;
  }

  Fixture wheel() {
    return new Fixture() {
      private final HierarchicalTimerWheel wheel = new HierarchicalTimerWheel(0);
      private final long[] ticks = ticks();
      private final Counting[] entries = new Counting[ticks.length];
      private long now;

      {
        for (int i = 0; i < entries.length; i++) {
          entries[i] = new Counting();
        }
      }

      @Override
      public long run() {
        for (int i = 0; i < ticks.length; i++) {
          wheel.schedule(entries[i], now + ticks[i]);
        }
        long fired = 0;
        for (long next = wheel.nextTick(); next != TickClock.NEVER; next = wheel.nextTick()) {
          now = next;
          fired += wheel.advance(next);
        }
        return fired;
      }
    };
  }

  Fixture heap() {
    return new Fixture() {
      private final ReentrantLock lock = new ReentrantLock();
      private final PriorityQueue<Due> queue = new PriorityQueue<>();
      private final long[] ticks = ticks();
      private long now;

      @Override
      public long run() {
        for (long tick : ticks) {
          add(new Due(now + tick));
        }
        long fired = 0;
        while (expireNext()) {
          fired++;
        }
        return fired;
      }

      private void add(Due due) {
        lock.lock();
        try {
          queue.add(due);
        } finally {
          lock.unlock();
        }
      }

      private boolean expireNext() {
        lock.lock();
        try {
          var due = queue.poll();
          if (due == null) {
            return false;
          }
          now = due.tick();
          return true;
        } finally {
          lock.unlock();
        }
      }
    };
  }

  private long[] ticks() {
    long[] ticks = sizes.farDelays();
    for (int i = 0; i < ticks.length; i++) {
      ticks[i] = TickClock.tickAtOrAfter(ticks[i]);
    }
    return ticks;
  }

  private record Due(long tick) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      return Long.compare(tick, other.tick);
    }
  }

  private static final class Counting extends TimerEntry {
    private int fired;

    @Override
    protected void fire() {
      fired++;
    }

    @Override
    public String toString() {
      return "fired " + fired + " times";
    }
  }
}
