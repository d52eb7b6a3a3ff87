package dev.blitz.io.internal.scheduler;

import static dev.blitz.io.internal.scheduler.StallDetector.Finding.HOGGED;
import static dev.blitz.io.internal.scheduler.StallDetector.Finding.MOVING;
import static dev.blitz.io.internal.scheduler.StallDetector.Finding.STUCK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

/** What the overseer concludes from its looks, fed with looks at chosen times. */
@Strict
@OnceIsEnough
class StallDetectorTest {
  private static final long LOOK = SchedulerTuning.OVERSEER_LOOK_NANOS;
  private static final long STALL = 10 * LOOK;
  private static final long LONG_PAUSE = 1_000 * LOOK;

  private static final long MAX_STEP = 5 * SchedulerTuning.OVERSEER_LOOK_NANOS;
  private final StallDetector detector = new StallDetector(2, STALL, MAX_STEP);
  private long now = 7_000;
  private long polled = 40;

  StallDetectorTest() {
    detector.beginLook(now);
    detector.reset(0, polled);
    detector.reset(1, 0);
  }

  private StallDetector.Finding look(long laterNanos, boolean parked, boolean inPoll) {
    now += laterNanos;
    detector.beginLook(now);
    return detector.see(0, polled, parked, inPoll);
  }

  @Test
  void onePollOverManyLooks_isHoggedOnce() {
    for (int i = 1; i < 10; i++) {
      assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
    }
    assertThat(look(LOOK, false, true)).isEqualTo(HOGGED);
    assertThat(detector.seenNanos(0)).isEqualTo(STALL);
    assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
    polled++;
    assertThat(look(LOOK, false, true)).isEqualTo(MOVING);
    for (int i = 1; i < 10; i++) {
      assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
    }
    assertThat(look(LOOK, false, true)).isEqualTo(HOGGED);
  }

  @Test
  void aPauseOfTheWholeMachine_afterAPark_isNoStall() {
    assertThat(look(LOOK, true, false)).isEqualTo(MOVING);
    assertThat(look(LONG_PAUSE, false, true)).isEqualTo(STUCK);
    assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
  }

  @Test
  void aPauseDuringAPoll_countsAsOneStepOnly() {
    assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
    assertThat(look(LONG_PAUSE, false, true)).isEqualTo(STUCK);
    assertThat(detector.seenNanos(0)).isEqualTo(LOOK + MAX_STEP);
    for (int i = 0; i < 3; i++) {
      assertThat(look(LOOK, false, true)).isEqualTo(STUCK);
    }
    assertThat(look(LOOK, false, true)).isEqualTo(HOGGED);
  }

  @Test
  void aWorkerThatWasWokenButDoesNotRun_isNotHogged() {
    for (int i = 0; i < 100; i++) {
      assertThat(look(LOOK, false, false)).isEqualTo(STUCK);
    }
    assertThat(detector.seenNanos(0)).isZero();
  }

  @Test
  void aWorkerThatMovesOrSleeps_isNeverHogged() {
    for (int i = 0; i < 100; i++) {
      polled++;
      assertThat(look(LOOK, false, true)).isEqualTo(MOVING);
      assertThat(look(LOOK, true, true)).isEqualTo(MOVING);
    }
  }

  @Test
  void withoutAThreshold_nothingIsHogged() {
    var never = new StallDetector(1, Long.MAX_VALUE, MAX_STEP);
    never.beginLook(0);
    never.reset(0, 1);
    for (int i = 1; i <= 1_000; i++) {
      never.beginLook(i * LOOK);
      assertThat(never.see(0, 1, false, true)).isEqualTo(STUCK);
    }
  }

  @Test
  void workersAreJudgedApart() {
    for (int i = 1; i < 10; i++) {
      now += LOOK;
      detector.beginLook(now);
      assertThat(detector.see(0, polled, false, true)).isEqualTo(STUCK);
      assertThat(detector.see(1, i, false, true)).isEqualTo(MOVING);
    }
    now += LOOK;
    detector.beginLook(now);
    assertThat(detector.see(0, polled, false, true)).isEqualTo(HOGGED);
    assertThat(detector.see(1, 9, false, true)).isEqualTo(STUCK);
  }
}
