package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Threads that schedule, cancel, reset and advance at the same time, as workers do. */
@Strict
@OnceIsEnough
class WheelStressTest {

  private static final int TIMERS = 64;
  private static final int STEPS = 300_000;
  private static final int TICKS_PER_ADVANCE = 8;

  /** About what passes between two looks at the same timer, so that half of them fire in time. */
  private static final int LONGEST_TICKS = 2 * TIMERS;

  private final HierarchicalTimerWheel wheel = new HierarchicalTimerWheel(0, 2, 3, 4);
  private final AtomicLong clock = new AtomicLong();

  @Test
  void twoThreads_everyTimerFiresOrIsCancelledExactlyOnce(TestSeed seed) throws Exception {
    race(seed, 2);
  }

  @Test
  void threeThreads_everyTimerFiresOrIsCancelledExactlyOnce(TestSeed seed) throws Exception {
    race(seed, 3);
  }

  private void race(TestSeed seed, int threads) throws Exception {
    var owners = new Owner[threads];
    Arrays.setAll(owners, i -> new Owner(seed.derive(i).random()));
    Race.run(threads, index -> owners[index].run());
    clock.set(Long.MAX_VALUE);
    wheel.advance(Long.MAX_VALUE);
    WheelInvariants.checkEmpty(wheel);
    for (var owner : owners) {
      owner.checkAll();
    }
  }

  /** Has some timers for itself, as a task has. */
  private final class Owner {
    private final SplittableRandom random;
    private final Watched[] timers = new Watched[TIMERS];

    Owner(SplittableRandom random) {
      this.random = random;
      Arrays.setAll(timers, i -> new Watched());
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int index = random.nextInt(TIMERS);
        var timer = timers[index];
        long tick = clock.get() + random.nextInt(LONGEST_TICKS);
        if (index % 2 == 0 && random.nextInt(4) == 0) {
          timer.resets++;
          timer.armedFor = Long.MIN_VALUE;
          wheel.reschedule(timer, tick);
        } else if (timer.isScheduled()) {
          timer.cancels += wheel.cancel(timer) ? 1 : 0;
        } else {
          timer.arm(tick);
          wheel.schedule(timer, tick);
        }
        if (random.nextInt(TICKS_PER_ADVANCE) == 0) {
          wheel.advance(clock.addAndGet(TICKS_PER_ADVANCE));
        }
      }
    }

    void checkAll() {
      int fired = 0;
      int cancels = 0;
      for (var timer : timers) {
        timer.check();
        fired += timer.fired.get();
        cancels += timer.cancels;
      }
      assertThat(fired).as("fired").isGreaterThan(STEPS / 100);
      assertThat(cancels).as("cancels").isGreaterThan(STEPS / 100);
    }
  }

  private final class Watched extends TimerEntry {
    private final AtomicInteger fired = new AtomicInteger();
    private final AtomicInteger early = new AtomicInteger();
    private int schedules;
    private int resets;
    private int cancels;
    private volatile long armedFor;

    void arm(long tick) {
      // While the fire() of the last time is still to come, it must not be judged by this tick.
      boolean settled = resets == 0 && fired.get() + cancels == schedules;
      armedFor = settled ? tick : Long.MIN_VALUE;
      schedules++;
    }

    @Override
    protected void fire() {
      if (clock.get() < armedFor) {
        early.incrementAndGet();
      }
      fired.incrementAndGet();
    }

    void check() {
      assertThat(early).as("early").hasValue(0);
      assertThat(isScheduled()).as("left behind").isFalse();
      // A reset ends what was pending, and nobody is told whether anything was.
      assertThat(fired.get() + cancels).isBetween(schedules, schedules + resets);
    }
  }
}
