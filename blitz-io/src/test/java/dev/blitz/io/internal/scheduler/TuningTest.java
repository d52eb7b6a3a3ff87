package dev.blitz.io.internal.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.blitz.io.policy.SpinMode;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TestSeed;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scheduler's small deciders: the inject interval, the spin policy, the random numbers. */
@Strict
@OnceIsEnough
class TuningTest {

  // --- InjectInterval
  // -----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "0, 255",
    "1, 255",
    "1_000, 255",
    "10_000, 100",
    "50_000, 20",
    "100_000, 10",
    "1_000_000, 8",
    "1e12, 8",
  })
  void interval_aimsAtAMillisecond(String pollNanos, int interval) {
    double nanos = Double.parseDouble(pollNanos.replace("_", ""));
    assertThat(InjectInterval.intervalFor(nanos)).isEqualTo(interval);
  }

  @Test
  void interval_beginsAt20_andFollowsTheAverage() {
    var interval = new InjectInterval();
    assertThat(interval.polls()).isEqualTo(20);
    interval.record(128, 128 * 150_000L);
    assertThat(interval.polls()).as("50 us + a tenth of 100 us more").isEqualTo(16);
    for (int i = 0; i < 200; i++) {
      interval.record(128, 128 * 1_000L);
    }
    assertThat(interval.polls()).isEqualTo(255);
    for (int i = 0; i < 200; i++) {
      interval.record(1, 5_000_000L);
    }
    assertThat(interval.polls()).isEqualTo(8);
  }

  @Test
  void interval_ignoresRoundsWithoutPollsAndClocksThatGoBack() {
    var interval = new InjectInterval();
    interval.record(0, 1_000_000_000L);
    interval.record(128, -1);
    assertThat(interval.polls()).isEqualTo(20);
  }

  // --- SpinPolicy
  // ---------------------------------------------------------------------------------

  @Test
  void spin_offNever_maxAlways() {
    var off = new SpinPolicy(SpinMode.OFF);
    var max = new SpinPolicy(SpinMode.MAX);
    for (int i = 0; i < 100; i++) {
      assertThat(off.worthIt()).isFalse();
      assertThat(max.worthIt()).isTrue();
      off.wasted();
      max.wasted();
    }
  }

  @Test
  void spin_auto_givesUpAfterItsPatience_triesNowAndThen_andResumesWhenItPays() {
    var auto = new SpinPolicy(SpinMode.AUTO);
    for (int i = 0; i < SchedulerTuning.SPIN_PATIENCE; i++) {
      assertThat(auto.worthIt()).isTrue();
      auto.wasted();
    }
    for (int round = 0; round < 3; round++) {
      for (int i = 1; i < SchedulerTuning.SPIN_RETRY; i++) {
        assertThat(auto.worthIt()).as("park " + i).isFalse();
      }
      assertThat(auto.worthIt()).as("one try").isTrue();
      auto.wasted();
    }
    auto.paid();
    assertThat(auto.worthIt()).isTrue();
  }

  @Test
  void spin_auto_paysForAFewFlows_notForACrowd() {
    var few = new SpinPolicy(SpinMode.AUTO);
    var crowd = new SpinPolicy(SpinMode.AUTO);
    var tasks = IntStream.range(0, 64).mapToObj(i -> new Object()).toList();
    int spins = 0;
    for (int i = 0; i < 1_000; i++) {
      assertThat(few.worthIt()).as("request " + i).isTrue();
      few.completed(
          tasks.get(i % SchedulerTuning.SPIN_FLOWS), i >= SchedulerTuning.SPIN_FLOWS, true);
      boolean spinning = crowd.worthIt();
      crowd.completed(tasks.get(i % tasks.size()), spinning, true);
      spins += spinning ? 1 : 0;
    }
    assertThat(spins)
        .as("spins in a crowd")
        .isLessThanOrEqualTo(SchedulerTuning.SPIN_PATIENCE + 1_000 / SchedulerTuning.SPIN_RETRY);
  }

  @Test
  void spin_auto_paysForAnswers_notForConnectionsThatComeOneByOne() {
    var auto = new SpinPolicy(SpinMode.AUTO);
    var acceptor = new Object();
    int spins = 0;
    for (int i = 0; i < 1_000; i++) {
      boolean spinning = auto.worthIt();
      auto.completed(acceptor, spinning, false);
      spins += spinning ? 1 : 0;
    }
    assertThat(spins)
        .isLessThanOrEqualTo(SchedulerTuning.SPIN_PATIENCE + 1_000 / SchedulerTuning.SPIN_RETRY);
  }

  // --- XorShift
  // -----------------------------------------------------------------------------------

  @Test
  void xorShift_equalSeedsGiveEqualNumbers_nearbySeedsDoNot(TestSeed seed) {
    var a = new XorShift(seed.value());
    var b = new XorShift(seed.value());
    var c = new XorShift(seed.value() + 1);
    int same = 0;
    for (int i = 0; i < 1_000; i++) {
      long n = a.next();
      assertThat(b.next()).isEqualTo(n);
      if (c.next() == n) {
        same++;
      }
    }
    assertThat(same).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, -0x61c8864680b583ebL})
  void xorShift_everySeed_moves(long seed) {
    var random = new XorShift(seed);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      seen.add(random.next());
    }
    assertThat(seen).hasSize(1_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64})
  void xorShift_nextInt_isUniform(int bound) {
    var random = new XorShift(42);
    int draws = 64_000;
    int[] counts = new int[bound];
    for (int i = 0; i < draws; i++) {
      counts[random.nextInt(bound)]++;
    }
    double expected = (double) draws / bound;
    // Six standard deviations of a fixed seed's draws.
    double tolerance = 6 * Math.sqrt(expected) + 1;
    assertThat(IntStream.of(counts))
        .allSatisfy(n -> assertThat((double) n).isCloseTo(expected, within(tolerance)));
  }

  // --- WorkerStats
  // --------------------------------------------------------------------------------

  @Test
  void stats_countersAreApart() {
    var stats = new WorkerStats();
    for (int c = 0; c < WorkerStats.COUNTERS; c++) {
      stats.add(c, c + 1);
      assertThat(stats.get(c)).isEqualTo(c + 1);
      stats.addRelease(c, 1);
    }
    for (int c = 0; c < WorkerStats.COUNTERS; c++) {
      assertThat(stats.get(c)).isEqualTo(c + 2);
      assertThat(stats.getAcquire(c)).isEqualTo(c + 2);
    }
  }
}
