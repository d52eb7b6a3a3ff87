package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class HierarchicalTimerWheelTest {

  private static final long RANGE = 1L << 30;
  private static final long MS = TimerTuning.TICK_NANOS;
  private static final long DAY = Duration.ofDays(1).toMillis();

  private final HierarchicalTimerWheel wheel = new HierarchicalTimerWheel(0);
  private final List<Integer> log = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    WheelInvariants.checkEmpty(wheel);
  }

  @Test
  void newWheel_isEmpty() {
    assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE);
    assertThat(wheel.advance(1_000)).isZero();
  }

  @Test
  void everyDelay_fromEveryStart_firesOnItsTick() {
    for (long start : edges(1)) {
      for (long delay : edges(2)) {
        var fresh = at(start);
        var timer = new CountingTimer();
        assertThat(fresh.schedule(timer, start + delay)).isTrue();
        WheelInvariants.check(fresh);
        assertThat(fresh.nextTick()).as("%d after %d", delay, start).isEqualTo(start + delay);
        if (delay > 0) {
          assertThat(fresh.advance(start + delay - 1)).as("%d after %d", delay, start).isZero();
          WheelInvariants.check(fresh);
        }
        assertThat(fresh.advance(start + delay)).as("%d after %d", delay, start).isEqualTo(1);
        assertThat(timer.fired).hasValue(1);
        assertThat(timer.hasFired()).isTrue();
        WheelInvariants.checkEmpty(fresh);
      }
    }
  }

  @Test
  void everyDelay_whenTimePassesInSteps_firesOnItsTick() {
    for (long start : edges(1)) {
      for (long delay : edges(2)) {
        var fresh = at(start);
        fresh.schedule(new CountingTimer(), start + delay);
        for (long step : edges(2)) {
          if (step < delay) {
            assertThat(fresh.advance(start + step)).isZero();
            WheelInvariants.check(fresh);
          }
        }
        assertThat(fresh.advance(start + delay)).as("%d after %d", delay, start).isEqualTo(1);
      }
    }
  }

  @Test
  void allDelaysTogether_fireInOneJump_inTheOrderOfTheirTicks() {
    for (long start : edges(1)) {
      var fresh = at(start);
      var delays = edges(4);
      for (int i = delays.length - 1; i >= 0; i--) {
        fresh.schedule(logging(i), start + delays[i]);
      }
      WheelInvariants.check(fresh);
      log.clear();
      assertThat(fresh.advance(start + 40 * DAY)).isEqualTo(delays.length);
      assertThat(log).isSorted().hasSize(delays.length);
      WheelInvariants.checkEmpty(fresh);
    }
  }

  @Test
  void sameTick_firesInTheOrderOfScheduling_whateverLevelTheyCameFrom() {
    long tick = 3 * RANGE + 4_097;
    long[] starts = {
      0, RANGE, 3 * RANGE - 1, 3 * RANGE, 3 * RANGE + 64, 3 * RANGE + 4_096, tick - 1
    };
    for (int i = 0; i < starts.length; i++) {
      assertThat(wheel.advance(starts[i])).isZero();
      wheel.schedule(logging(2 * i), tick);
      wheel.schedule(logging(2 * i + 1), tick);
    }
    wheel.advance(tick);
    assertThat(log).isSorted().hasSize(2 * starts.length);
  }

  @Test
  void overflow_isReexaminedAsTimePasses() {
    wheel.schedule(logging(13), 13 * DAY);
    wheel.schedule(logging(12), RANGE - 1);
    wheel.schedule(logging(40), 40 * DAY);
    wheel.schedule(logging(14), RANGE);
    assertThat(wheel.advance(RANGE - 1)).isEqualTo(1);
    assertThat(wheel.nextTick()).isEqualTo(RANGE);
    assertThat(wheel.advance(RANGE)).isEqualTo(1);
    assertThat(wheel.nextTick()).isEqualTo(13 * DAY);
    assertThat(wheel.advance(13 * DAY - 1)).isZero();
    assertThat(wheel.advance(13 * DAY)).isEqualTo(1);
    assertThat(wheel.advance(40 * DAY)).isEqualTo(1);
    assertThat(log).containsExactly(12, 14, 13, 40);
  }

  @Test
  void jumpToTheEndOfTime_passesOccupiedSlotsOnly() {
    wheel.schedule(logging(1), 5);
    wheel.schedule(logging(2), Long.MAX_VALUE - 1);
    wheel.schedule(logging(3), Long.MAX_VALUE);
    assertThat(wheel.advance(Long.MAX_VALUE - 2)).isEqualTo(1);
    assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE - 1);
    assertThat(wheel.advance(Long.MAX_VALUE)).isEqualTo(2);
    assertThat(log).containsExactly(1, 2, 3);
  }

  @Test
  void never_isScheduledButDoesNotSetTheNextTick() {
    var never = new CountingTimer();
    assertThat(wheel.schedule(never, TickClock.NEVER)).isFalse();
    assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE);
    assertThat(wheel.advance(1_000 * DAY)).isZero();
    assertThat(wheel.size()).isEqualTo(1);
    assertThat(wheel.cancel(never)).isTrue();
  }

  @Test
  void pastDeadline_isDueAtOnce() {
    wheel.advance(1_000);
    var late = new CountingTimer();
    assertThat(wheel.schedule(late, 10)).isTrue();
    assertThat(late.deadlineTick()).isEqualTo(1_000);
    assertThat(wheel.schedule(new CountingTimer(), Long.MIN_VALUE)).isFalse();
    assertThat(wheel.advance(1_000)).isEqualTo(2);
  }

  @Test
  void timeThatGoesBack_countsAsTheLatest() {
    wheel.schedule(new CountingTimer(), 100);
    assertThat(wheel.advance(200)).isEqualTo(1);
    wheel.schedule(new CountingTimer(), 150);
    assertThat(wheel.advance(200)).isEqualTo(1);
    wheel.schedule(new CountingTimer(), 300);
    assertThat(wheel.advance(10)).isZero();
    assertThat(wheel.advance(300)).isEqualTo(1);
  }

  @Test
  void schedule_saysWhetherItBecameTheEarliest() {
    assertThat(wheel.schedule(new CountingTimer(), 100)).isTrue();
    assertThat(wheel.schedule(new CountingTimer(), 100)).isFalse();
    assertThat(wheel.schedule(new CountingTimer(), 5_000)).isFalse();
    assertThat(wheel.schedule(new CountingTimer(), 99)).isTrue();
    assertThat(wheel.advance(5_000)).isEqualTo(4);
    assertThat(wheel.schedule(new CountingTimer(), 20 * DAY)).isTrue();
    assertThat(wheel.advance(20 * DAY)).isEqualTo(1);
  }

  @Test
  void schedule_whileScheduled_isRefusedAndChangesNothing() {
    var timer = new CountingTimer();
    wheel.schedule(timer, 100);
    assertThatIllegalStateException().isThrownBy(() -> wheel.schedule(timer, 50));
    assertThat(timer.deadlineTick()).isEqualTo(100);
    assertThat(wheel.nextTick()).isEqualTo(100);
    assertThat(wheel.advance(100)).isEqualTo(1);
  }

  @Test
  void cancel_atEveryPlaceOfAList_unlinksIt() {
    for (int victim = 0; victim < 3; victim++) {
      for (long tick : new long[] {3, 70, 5_000, 300_000, 20_000_000, 20 * DAY}) {
        var fresh = new HierarchicalTimerWheel(0);
        var timers = List.of(new CountingTimer(), new CountingTimer(), new CountingTimer());
        timers.forEach(timer -> fresh.schedule(timer, tick));
        assertThat(fresh.cancel(timers.get(victim))).isTrue();
        WheelInvariants.check(fresh);
        assertThat(timers.get(victim).next).isNull();
        assertThat(timers.get(victim).prev).isNull();
        assertThat(fresh.cancel(timers.get(victim))).isFalse();
        assertThat(fresh.advance(tick)).isEqualTo(2);
        assertThat(timers.get(victim).fired).hasValue(0);
        WheelInvariants.checkEmpty(fresh);
      }
    }
  }

  @Test
  void cancel_ofTheOnlyOne_forgetsItsTick() {
    var near = new CountingTimer();
    var far = new CountingTimer();
    wheel.schedule(near, 100);
    wheel.schedule(far, 20 * DAY);
    assertThat(wheel.cancel(near)).isTrue();
    assertThat(wheel.nextTick()).isEqualTo(20 * DAY);
    assertThat(wheel.cancel(far)).isTrue();
    assertThat(wheel.nextTick()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void cancel_ofTheEarliestOfASlot_costsOneWakeInVain() {
    var earliest = new CountingTimer();
    wheel.schedule(earliest, 10_000);
    wheel.schedule(new CountingTimer(), 10_700);
    wheel.cancel(earliest);
    assertThat(wheel.nextTick()).isEqualTo(10_000);
    assertThat(wheel.advance(10_000)).isZero();
    assertThat(wheel.nextTick()).isEqualTo(10_700);
    assertThat(wheel.advance(10_700)).isEqualTo(1);
  }

  @Test
  void cancel_afterExpiryOrBeforeSchedule_isTooLateOrNothing() {
    var timer = new CountingTimer();
    assertThat(wheel.cancel(timer)).isFalse();
    wheel.schedule(timer, 1);
    wheel.advance(1);
    assertThat(wheel.cancel(timer)).isFalse();
    assertThat(timer.hasFired()).isTrue();
  }

  @Test
  void cancel_thatWaitsForTheLockWhileTheTimerExpires_isTooLate() throws Exception {
    var timer = new CountingTimer();
    wheel.schedule(timer, 1);
    var locked = new CountDownLatch(1);
    var cancelling = new CountDownLatch(1);
    Race.run(
        index -> {
          wheel.lock.lock();
          try {
            locked.countDown();
            cancelling.await();
            wheel.slots.tell(1);
            assertThat(wheel.slots.collect(new TimerEntry[1])).isEqualTo(1);
          } finally {
            wheel.lock.unlock();
          }
        },
        index -> {
          locked.await();
          cancelling.countDown();
          assertThat(wheel.cancel(timer)).isFalse();
        });
    assertThat(timer.hasFired()).isTrue();
    wheel.advance(1); // publishes that nothing is left
  }

  @Test
  void freshTimer_countsFromSettle_andIsNeverEarly() {
    var clock = new AtomicLong();
    var ticks = new TickClock(clock::get);
    var timer = new CountingTimer();
    wheel.scheduleFresh(timer, 5 * MS);
    assertThat(wheel.nextTick()).as("no deadline yet").isEqualTo(Long.MAX_VALUE);
    assertThat(wheel.size()).isEqualTo(1);
    clock.set(7 * MS + 1);
    assertThat(wheel.admit(ticks)).isEqualTo(13);
    wheel.advance(12);
    assertThat(timer.fired).hasValue(0);
    wheel.advance(13);
    assertThat(timer.fired).hasValue(1);
    WheelInvariants.checkEmpty(wheel);
  }

  @Test
  void freshTimer_thatIsCancelled_leavesNothingBehind() {
    var first = new CountingTimer();
    var second = new CountingTimer();
    wheel.scheduleFresh(first, 5 * MS);
    wheel.scheduleFresh(second, Long.MAX_VALUE);
    assertThat(wheel.cancel(first)).isTrue();
    assertThat(wheel.cancel(second)).isTrue();
    assertThat(wheel.cancel(second)).isFalse();
    assertThat(wheel.admit(new TickClock(() -> 0))).isEqualTo(Long.MAX_VALUE);
    assertThat(wheel.hasFresh()).isFalse();
    WheelInvariants.checkEmpty(wheel);
  }

  @Test
  void freshTimer_ofForever_neverFires() {
    var timer = new CountingTimer();
    wheel.scheduleFresh(timer, Long.MAX_VALUE);
    assertThat(wheel.admit(new TickClock(() -> 0))).isEqualTo(Long.MAX_VALUE);
    wheel.advance(Long.MAX_VALUE - 1);
    assertThat(timer.fired).hasValue(0);
    assertThat(wheel.cancel(timer)).isTrue();
    WheelInvariants.checkEmpty(wheel);
  }

  @Test
  void entry_canBeScheduledAgain() {
    var timer = new CountingTimer();
    for (int round = 1; round <= 3; round++) {
      wheel.schedule(timer, round * 100L);
      assertThat(timer.hasFired()).isFalse();
      wheel.cancel(timer);
      wheel.schedule(timer, round * 100L);
      wheel.advance(round * 100L);
      assertThat(timer.fired).hasValue(round);
    }
  }

  @Test
  void reschedule_earlierAndLater_firesOnceOnTheLastDeadline() {
    var timer = new CountingTimer();
    assertThat(wheel.reschedule(timer, 500)).isTrue();
    assertThat(wheel.reschedule(timer, 90_000)).isFalse();
    assertThat(wheel.nextTick()).isEqualTo(90_000);
    assertThat(wheel.reschedule(timer, 700)).isTrue();
    assertThat(wheel.size()).isEqualTo(1);
    assertThat(wheel.advance(699)).isZero();
    assertThat(wheel.advance(90_000)).isEqualTo(1);
    assertThat(wheel.reschedule(timer, 90_001)).isTrue();
    assertThat(timer.hasFired()).isFalse();
    assertThat(wheel.advance(90_001)).isEqualTo(1);
  }

  @Test
  void fire_mayCancelAndScheduleOthers() {
    var victim = new CountingTimer();
    wheel.schedule(victim, 80);
    wheel.schedule(
        firing(() -> {
          assertThat(wheel.cancel(victim)).isTrue();
          wheel.schedule(logging(1), 30);
        }),
        10);
    wheel.advance(10);
    assertThat(wheel.size()).isEqualTo(1);
    wheel.advance(100);
    assertThat(log).containsExactly(1);
    assertThat(victim.fired).hasValue(0);
  }

  @Test
  void fire_thatRearmsForNow_doesNotHoldTheCaller() {
    int[] rounds = {0};
    var eager =
        new TimerEntry() {
          @Override
          protected void fire() {
            if (++rounds[0] < 100) {
              wheel.schedule(this, 0);
            }
          }
        };
    wheel.schedule(eager, 0);
    wheel.schedule(logging(1), 5);
    assertThat(wheel.advance(5)).isEqualTo(2);
    assertThat(log).containsExactly(1);
    assertThat(wheel.nextTick()).isEqualTo(5);
    while (wheel.nextTick() <= 5) {
      assertThat(wheel.advance(5)).isEqualTo(1);
    }
    assertThat(rounds[0]).isEqualTo(100);
  }

  @Test
  void rearmingCrowd_doesNotStarveALaterTick() {
    var small = new HierarchicalTimerWheel(0, 2, 2, 2);
    var crowd = new ArrayList<TimerEntry>();
    for (int i = 0; i < 9; i++) {
      crowd.add(rearming(small));
      small.schedule(crowd.getLast(), 1);
    }
    small.schedule(logging(1), 2);
    small.advance(3);
    assertThat(log).containsExactly(1);
    crowd.forEach(timer -> assertThat(small.cancel(timer)).isTrue());
    WheelInvariants.checkEmpty(small);
  }

  @Test
  void fire_thatThrows_keepsNobodyElseFromFiring() {
    var first = new IllegalStateException("first");
    var second = new AssertionError("second");
    wheel.schedule(firing(() -> sneak(first)), 1);
    wheel.schedule(firing(() -> sneak(second)), 2);
    wheel.schedule(firing(() -> sneak(first)), 3);
    wheel.schedule(logging(1), 4);
    assertThatThrownBy(() -> wheel.advance(4)).isSameAs(first).hasSuppressedException(second);
    assertThat(log).containsExactly(1);
  }

  @Test
  void crowdedSlot_cascadesAndFiresInBatches() {
    int crowd = 10 * TimerTuning.BATCH + 1;
    for (int i = 0; i < crowd; i++) {
      wheel.schedule(logging(i), 70_000 + i);
    }
    assertThat(wheel.advance(69_999)).isZero();
    WheelInvariants.check(wheel);
    assertThat(wheel.advance(80_000)).isEqualTo(crowd);
    assertThat(log).isSorted().hasSize(crowd);
  }

  @Test
  void scheduleInTheMidstOfACascade_keepsTheOrderOfEqualTicks() {
    // Batch of 2: the timer at 1 fires while the slot 16..31 has begun to cascade.
    var small = new HierarchicalTimerWheel(0, 2, 4, 2);
    small.schedule(
        firing(() -> {
          assertThat(small.slots.cascading).isNotEqualTo(WheelSlots.NONE);
          assertThat(small.schedule(logging(9), 20)).isFalse();
          assertThat(small.nextTick()).as("a bound").isEqualTo(16);
          WheelInvariants.check(small);
        }),
        1);
    for (int i = 0; i < 5; i++) {
      small.schedule(logging(i), 20);
    }
    small.advance(19);
    assertThat(small.nextTick()).isEqualTo(20);
    small.advance(20);
    assertThat(log).containsExactly(0, 1, 2, 3, 4, 9);
  }

  @Test
  void pausedCascade_doesNotLowerTheNextTick() {
    var small = new HierarchicalTimerWheel(0, 2, 4, 2);
    var other = new CountingTimer();
    small.schedule(other, 200);
    for (int i = 0; i < 5; i++) {
      small.schedule(logging(i), 20);
    }
    // Another thread's advance(19), between its first and its second batch.
    small.slots.tell(19);
    small.slots.collect(new TimerEntry[2]);
    assertThat(small.slots.nextTick()).isEqualTo(16);
    small.cancel(other);
    assertThat(small.nextTick()).as("what a sleeper may have read").isEqualTo(20);
    assertThat(small.schedule(other, 19)).as("must wake that sleeper").isTrue();
    small.advance(20);
    assertThat(log).containsExactly(0, 1, 2, 3, 4);
    assertThat(other.fired).hasValue(1);
    WheelInvariants.checkEmpty(small);
  }

  @Test
  void cancelInTheMidstOfACascade_mayEmptyTheSlot() {
    for (long tick : new long[] {20, 300}) {
      var small = new HierarchicalTimerWheel(0, 2, 4, 2);
      var timers = new ArrayList<TimerEntry>();
      small.schedule(
          firing(() -> {
            assertThat(small.slots.cascading).isNotEqualTo(WheelSlots.NONE);
            timers.forEach(timer -> assertThat(small.cancel(timer)).isTrue());
            WheelInvariants.checkEmpty(small);
            small.schedule(timers.getFirst(), tick);
            WheelInvariants.check(small);
          }),
          1);
      for (int i = 0; i < 5; i++) {
        timers.add(new CountingTimer());
        small.schedule(timers.getLast(), tick);
      }
      assertThat(small.advance(tick - 1)).isEqualTo(1);
      assertThat(small.nextTick()).isEqualTo(tick);
      assertThat(small.advance(tick)).isEqualTo(1);
      WheelInvariants.checkEmpty(small);
    }
  }

  @Test
  void advanceWithoutTimers_followsTheClock() {
    wheel.advance(10 * DAY);
    wheel.schedule(new CountingTimer(), 10 * DAY + 5);
    assertThat(wheel.slots.occupied[0] | wheel.slots.occupied[1]).isNotZero();
    assertThat(wheel.advance(11 * DAY)).isEqualTo(1);
  }

  @Test
  void geometry_thatDoesNotFit_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WheelSlots(0, 0, 6));
    assertThatIllegalArgumentException().isThrownBy(() -> new WheelSlots(0, 5, 7));
    assertThatIllegalArgumentException().isThrownBy(() -> new WheelSlots(0, 5, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new WheelSlots(0, 11, 6));
  }

  /** Zero, and what lies within a few ticks of each level's edges, 13 days and beyond. */
  private static long[] edges(int width) {
    var centres =
        LongStream.of(
            0, 64, 128, 4_096, 8_192, 262_144, 16_777_216, RANGE, 2 * RANGE, 13 * DAY, 30 * DAY);
    return centres
        .flatMap(c -> LongStream.rangeClosed(c - width, c + width))
        .filter(t -> t >= 0)
        .sorted()
        .toArray();
  }

  private static HierarchicalTimerWheel at(long start) {
    var wheel = new HierarchicalTimerWheel(0);
    assertThat(wheel.advance(start)).isZero();
    return wheel;
  }

  private TimerEntry logging(int id) {
    return firing(() -> log.add(id));
  }

  private static TimerEntry firing(Runnable body) {
    return new TimerEntry() {
      @Override
      protected void fire() {
        body.run();
      }
    };
  }

  private static TimerEntry rearming(HierarchicalTimerWheel wheel) {
    return new TimerEntry() {
      @Override
      protected void fire() {
        wheel.schedule(this, 0);
      }
    };
  }

  private static void sneak(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(t);
    }
  }

  @Test
  void edges_containTheBoundaries() {
    assertThat(Arrays.stream(edges(1)).boxed())
        .contains(0L, 63L, 64L, 65L, 4_095L, 4_096L, RANGE - 1, RANGE, RANGE + 1, 13 * DAY);
  }
}
