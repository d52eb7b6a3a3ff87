package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The wheel against a priority queue, on a clock of the test's own. */
@Strict
@OnceIsEnough
class WheelModelTest {

  private static final long LONGEST = Duration.ofDays(13).toMillis();

  @Test
  void millionRandomTimers_fireAsTheModelSays(TestSeed seed) {
    var wheel = new HierarchicalTimerWheel(0);
    var run = new WheelModelRun(wheel, seed.random(), LONGEST);
    while (run.scheduled() < 1_000_000) {
      run.step();
    }
    run.finish();
    assertThat(run.fired() + run.cancelled()).isEqualTo(run.scheduled());
    assertThat(run.fired()).isGreaterThan(100_000);
    assertThat(run.cancelled()).isGreaterThan(100_000);
    WheelInvariants.checkEmpty(wheel);
  }

  /** Small wheels make cascades, overflow and half-done batches the rule, not the exception. */
  @Test
  void smallWheels_fireAsTheModelSays(TestSeed seed) {
    var random = seed.random();
    for (int levels = 1; levels <= 3; levels++) {
      for (int slotBits = 1; slotBits <= 3; slotBits++) {
        for (int batch = 1; batch <= 3; batch++) {
          var wheel = new HierarchicalTimerWheel(0, levels, slotBits, batch);
          var run = new WheelModelRun(wheel, random, 3L << (levels * slotBits));
          for (int i = 0; i < 2_000; i++) {
            run.step();
            WheelInvariants.check(wheel);
          }
          run.finish();
          WheelInvariants.checkEmpty(wheel);
        }
      }
    }
  }

  @Test
  void sleeperWithoutCancels_isNeverWokenInVain(TestSeed seed) {
    var random = seed.random();
    var wheel = new HierarchicalTimerWheel(0);
    int pending = 20_000;
    for (int i = 0; i < pending; i++) {
      wheel.schedule(new CountingTimer(), random.nextLong(LONGEST >> random.nextInt(30)));
    }
    while (pending > 0) {
      int fired = wheel.advance(wheel.nextTick());
      assertThat(fired).isPositive();
      pending -= fired;
    }
    WheelInvariants.checkEmpty(wheel);
  }

  /** One wake in vain per cancel at most, and the sleeper always gets there. */
  @Test
  void sleeperWithCancels_isWokenInVainAtMostOncePerCancel(TestSeed seed) {
    var random = seed.random();
    var wheel = new HierarchicalTimerWheel(0);
    var timers = new CountingTimer[20_000];
    for (int i = 0; i < timers.length; i++) {
      timers[i] = new CountingTimer();
      wheel.schedule(timers[i], random.nextLong(LONGEST >> random.nextInt(30)));
    }
    int cancelled = 0;
    int inVain = 0;
    while (wheel.size() > 0) {
      if (random.nextInt(3) == 0) {
        cancelled += wheel.cancel(timers[random.nextInt(timers.length)]) ? 1 : 0;
      } else {
        inVain += wheel.advance(wheel.nextTick()) == 0 ? 1 : 0;
      }
    }
    assertThat(cancelled).isPositive();
    assertThat(inVain).isLessThanOrEqualTo(cancelled);
    WheelInvariants.checkEmpty(wheel);
  }
}
