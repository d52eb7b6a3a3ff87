package dev.blitz.io.internal.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The wheels of a runtime with two workers. */
@Strict
@OnceIsEnough
class RuntimeTimersTest {
  private static final long MS = TimerTuning.TICK_NANOS;
  private static final int OUTSIDE = RuntimeTimers.NO_WORKER;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger told = new AtomicInteger();
  private final TimeSource source = nanos::get;
  private final RuntimeTimers timers = new RuntimeTimers(source, 2, told::incrementAndGet);

  @Test
  void timersOfSeveralWheels_fireInTheOrderOfTheirTicks() {
    List<Integer> fired = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int tick = i * 37 % 100;
      timers.schedule(
          new TimerEntry() {
            @Override
            protected void fire() {
              fired.add(tick);
            }
          },
          i % 2,
          tick * MS);
    }
    timers.fireDue(99 * MS);
    assertThat(fired).hasSize(100).isSorted();
  }

  @Test
  void freshTimer_countsFromSettle_andTellsOnlyThen() {
    var timer = new CountingTimer();
    timers.scheduleAfter(timer, 0, 5 * MS);
    assertThat(told).hasValue(0);
    assertThat(timers.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    nanos.set(2 * MS);
    timers.admit(1);
    assertThat(timers.nextDeadlineNanos()).as("the other worker's").isEqualTo(Long.MAX_VALUE);
    timers.admit(0);
    assertThat(told).hasValue(1);
    assertThat(timers.nextDeadlineNanos()).isEqualTo(7 * MS);
    timers.fireDue(7 * MS);
    assertThat(timer.fired).hasValue(1);
  }

  @Test
  void freshTimersOfAStuckWorker_areSettledByOthers() {
    timers.scheduleAfter(new CountingTimer(), 0, 5 * MS);
    timers.scheduleAfter(new CountingTimer(), 1, 3 * MS);
    timers.admitAll();
    assertThat(timers.nextDeadlineNanos()).isEqualTo(3 * MS);
    timers.fireDue(5 * MS);
    assertThat(timers.size()).isZero();
  }

  @Test
  void outsiderAndManualClock_haveADeadlineAtOnce() {
    timers.scheduleAfter(new CountingTimer(), OUTSIDE, 5 * MS);
    assertThat(timers.nextDeadlineNanos()).isEqualTo(5 * MS);

    var manual = new RuntimeTimers(new ManualTimeSource(false, 0), 2, told::incrementAndGet);
    manual.scheduleAfter(new CountingTimer(), 0, 5 * MS);
    assertThat(manual.nextDeadlineNanos()).isEqualTo(5 * MS);
  }

  @Test
  void earlierThanTheSleeperWakes_tells_othersDoNot() {
    timers.schedule(new CountingTimer(), 0, 10 * MS);
    assertThat(told).hasValue(1);
    assertThat(timers.sleepDeadlineNanos()).isEqualTo(10 * MS);
    timers.schedule(new CountingTimer(), 1, 11 * MS);
    timers.schedule(new CountingTimer(), 1, 10 * MS);
    assertThat(told).as("the sleeper wakes at 10 and looks again").hasValue(1);
    timers.schedule(new CountingTimer(), 1, 9 * MS);
    assertThat(told).hasValue(2);
    timers.sleepEnded();
    timers.schedule(new CountingTimer(), 0, 9 * MS);
    assertThat(told).as("whoever sleeps next may be looking now").hasValue(3);
  }

  @Test
  void discardOfAnotherWorkersTimer_isUnlinkedWhenTheTickEnds() {
    var timer = new CountingTimer();
    timers.schedule(timer, 0, 10 * MS);
    timers.discard(timer, 1);
    timers.admit(1);
    assertThat(timers.size()).isZero();
    assertThat(timers.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void discardOfAnotherWorkersTimer_thatExpiresMeanwhile_isLeftAlone() {
    var timer = new CountingTimer();
    timers.schedule(timer, 0, 10 * MS);
    timers.discard(timer, 1);
    timers.fireDue(10 * MS);
    assertThat(timer.fired).hasValue(1);
    timers.admit(1);
    assertThat(timers.size()).isZero();
  }

  @Test
  void manyDiscards_areUnlinkedInBatches() {
    for (int i = 0; i < 1_000; i++) {
      var timer = new CountingTimer();
      if (i % 2 == 0) {
        timers.schedule(timer, i % 4 / 2, (10 + i % 7) * MS);
      } else {
        timers.scheduleAfter(timer, 0, i * MS);
      }
      timers.discard(timer, 1);
      assertThat(timers.size()).isLessThanOrEqualTo(TimerTuning.BATCH);
    }
    timers.admit(1);
    assertThat(timers.size()).isZero();
  }

  @Test
  void rescheduled_staysInItsWheel_andFiresOnce() {
    var timer = new CountingTimer();
    timers.schedule(timer, 1, 10 * MS);
    timers.tellEarlier(timers.rescheduleSilently(timer, 20 * MS));
    timers.fireDue(19 * MS);
    assertThat(timer.fired).hasValue(0);
    timers.fireDue(20 * MS);
    assertThat(timer.fired).hasValue(1);
    timers.tellEarlier(timers.rescheduleSilently(timer, 30 * MS));
    timers.fireDue(Duration.ofSeconds(1).toNanos());
    assertThat(timer.fired).hasValue(2);
  }

  @Test
  void timersThatReArmThemselvesForNow_doNotHoldTheCaller() {
    var rounds = new AtomicInteger();
    timers.schedule(
        new TimerEntry() {
          @Override
          protected void fire() {
            rounds.incrementAndGet();
            timers.schedule(this, 0, 0);
          }
        },
        0,
        0);
    timers.fireDue(MS);
    assertThat(rounds.get()).isPositive().isLessThan(10_000);
  }

  /** Two workers that arm, move their timers to each other, discard and turn all wheels. */
  @Test
  void twoWorkers_everyTimerIsFiredOrGone(TestSeed seed) throws Exception {
    var armed = new AtomicLong();
    var fired = new AtomicLong();
    var handedOver = new ConcurrentLinkedQueue<TimerEntry>();
    Race.run(
        2,
        worker -> {
          var random = seed.derive(worker).random();
          for (int i = 0; i < 200_000; i++) {
            int dice = random.nextInt(16);
            if (dice < 8) {
              var timer =
                  new TimerEntry() {
                    @Override
                    protected void fire() {
                      fired.incrementAndGet();
                    }
                  };
              armed.incrementAndGet();
              if (dice < 6) {
                timers.scheduleAfter(timer, worker, random.nextInt(64) * MS);
              } else {
                timers.schedule(timer, worker, nanos.get() + random.nextInt(64) * MS);
              }
              handedOver.add(timer);
            } else if (dice < 14) {
              var timer = handedOver.poll();
              if (timer != null) {
                timers.discard(timer, worker);
              }
            } else if (dice == 14) {
              timers.admit(worker);
            } else {
              timers.fireDue(nanos.addAndGet(MS));
              timers.admitAll();
            }
          }
          timers.admit(worker);
        });
    timers.admitAll();
    timers.fireDue(nanos.addAndGet(1_000 * MS));
    assertThat(timers.size()).isZero();
    assertThat(timers.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(fired.get()).isPositive().isLessThan(armed.get());
  }

  /**
   * The sleeper has passed the first wheel when that one's timer is armed, and has not reached the
   * last one when that one's earlier timer is cancelled.
   */
  @Test
  void sleeperThatLooksWhileTimersComeAndGo_isToldOrKnows() throws Exception {
    int workers = TimerTuning.MAX_WHEELS;
    var many = new RuntimeTimers(source, workers, told::incrementAndGet);
    var ready = new AtomicInteger();
    var slept = new AtomicLong();
    var oversleeps = new AtomicInteger();
    var later = new CountingTimer();
    var earlier = new CountingTimer();
    Race.run(
        2,
        racer -> {
          for (int round = 0; round < 20_000; round++) {
            if (racer == 0) {
              many.cancel(later);
              many.schedule(earlier, workers - 1, 50 * MS);
              told.set(0);
            }
            meet(ready);
            if (racer == 0) {
              slept.set(many.sleepDeadlineNanos());
            } else {
              many.schedule(later, 0, 100 * MS);
              many.cancel(earlier);
            }
            meet(ready);
            if (racer == 0 && slept.get() > 100 * MS && told.get() == 0) {
              oversleeps.incrementAndGet();
            }
          }
        });
    assertThat(oversleeps).hasValue(0);
  }

  /** Returns when both have come. */
  @SuppressWarnings("ThreadPriorityCheck") // the other one may need this very processor
  private static void meet(AtomicInteger count) {
    int round = count.getAndIncrement() / 2;
    for (int looks = 0; count.get() < 2 * (round + 1); looks++) {
      if (looks < 1_000) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }
}
