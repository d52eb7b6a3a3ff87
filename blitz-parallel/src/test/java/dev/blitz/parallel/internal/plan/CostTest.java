package dev.blitz.parallel.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class CostTest {
  private final Cost cost = new Cost();

  private int briefOf(long count) {
    int brief = 0;
    for (int i = 0; i < 10_000; i++) {
      brief += cost.isBrief(count) ? 1 : 0;
    }
    return brief;
  }

  private static int samplesOf(long count) {
    int samples = 0;
    for (int i = 0; i < 10_000; i++) {
      samples += Cost.isSampled(count) ? 1 : 0;
    }
    return samples;
  }

  @Test
  void measured_isLearnt() {
    cost.learn(1, 1000);
    cost.endSample(10, System.nanoTime() - 1_000_000);
    assertThat(cost.nanosPerElement()).isGreaterThanOrEqualTo(100_000);
    assertThat(cost.elements()).isEqualTo(1010);
  }

  @Test
  void unknown_isNeverBrief() {
    assertThat(briefOf(1)).isZero();
    assertThat(cost.trusted()).isZero();
  }

  @Test
  void cheap_isBrief_andNowAndThenMeasured() {
    cost.learn(1, 1000);
    assertThat(briefOf(1000)).isEqualTo(10_000);
    assertThat(samplesOf(1000)).isBetween(50, 500);
    assertThat(samplesOf(10)).as("few elements are measured more often").isBetween(800, 2_000);
    assertThat(briefOf(PlanTuning.BRIEF_ELEMENTS + 1)).isZero();
    assertThat(cost.trusted()).isEqualTo((long) PlanTuning.BRIEF_NANOS);
  }

  @Test
  void dear_isNotBrief() {
    cost.learn(1_000, 1000);
    assertThat(briefOf(3)).isZero();
    assertThat(briefOf(2)).isPositive();
  }

  @Test
  void bound_isNotBrief() {
    cost.learn(1, 1000);
    cost.bind();
    assertThat(briefOf(10)).isZero();
  }

  @Test
  void surprised_isWatchedForAWhile() {
    cost.learn(1, 1000);
    cost.learn(1e6, 10);
    cost.learn(1, 1000);
    assertThat(briefOf(10)).as("one may be chance, but is looked into").isZero();
    assertThat(cost.trusted()).isEqualTo(1);
    for (int i = 1; i < PlanTuning.SUSPICIOUS_LOOPS; i++) {
      cost.learn(1, 1000);
    }
    assertThat(briefOf(10)).isPositive();
  }

  @Test
  void surprisedTwice_isWatchedForLong() {
    cost.learn(1, 1000);
    cost.learn(1e6, 10);
    cost.learn(1, 1000);
    cost.learn(1e6, 10);
    for (int i = 0; i < PlanTuning.WARY_LOOPS - 1; i++) {
      cost.learn(1, 1000);
    }
    assertThat(briefOf(10)).isZero();
    cost.learn(1, 1000);
    assertThat(briefOf(10)).isPositive();
  }

  @Test
  void dearTwiceInARow_afterCheapOnes_isWatchedForLong() {
    cost.learn(1, 1000);
    cost.learn(1e6, 10);
    cost.learn(1e6, 10);
    for (int i = 0; i < PlanTuning.WARY_LOOPS - 1; i++) {
      cost.learn(1, 1000);
    }
    assertThat(briefOf(10)).isZero();
    assertThat(cost.trusted()).isEqualTo(1);
    cost.learn(1, 1000);
    assertThat(briefOf(10)).isPositive();
  }

  @Test
  void refine_risesAtOnceAndFallsByAndBy() {
    assertThat(Cost.refine(Double.POSITIVE_INFINITY, 10, 1000)).isEqualTo(100);
    assertThat(Cost.refine(100, 10, 100_000)).isEqualTo(10_000);
    assertThat(Cost.refine(10_000, 1000, 1000)).isEqualTo(2_500);
    assertThat(Cost.refine(100, 1, 300)).as("mostly the clock").isEqualTo(100);
    assertThat(Cost.refine(100, 10, 300)).isEqualTo(30);
    assertThat(Cost.refine(1_000_000, 1, 30)).as("one cheap element").isEqualTo(250_000);
  }
}
