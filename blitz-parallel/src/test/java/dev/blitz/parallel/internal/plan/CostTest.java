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

  /** As one that was run as a whole, or whose time went into one block. */
  private void learn(double nanos, long count) {
    cost.learn(nanos, count, 0);
  }

  /** As one all of whose blocks took the same. */
  private void learnSpread(double nanos, long count) {
    cost.learn(nanos, count, (long) (nanos * count) / 2);
  }

  @Test
  void measured_isLearnt() {
    learn(1, 1000);
    cost.endSample(100_000, System.nanoTime() - 1_000_000);
    assertThat(cost.nanosPerElement()).isGreaterThanOrEqualTo(10);
    assertThat(cost.elements()).isEqualTo(101_000);
  }

  @Test
  void unknown_isNeverBrief() {
    assertThat(briefOf(1)).isZero();
    assertThat(cost.trusted()).isZero();
  }

  @Test
  void cheap_isBrief_andNowAndThenMeasured() {
    learn(1, 1000);
    assertThat(briefOf(1000)).isEqualTo(10_000);
    assertThat(samplesOf(1000)).isBetween(15, 125);
    assertThat(samplesOf(10)).as("few elements are measured more often").isBetween(250, 1_000);
    assertThat(briefOf(PlanTuning.BRIEF_ELEMENTS + 1)).isZero();
    assertThat(cost.trusted()).isEqualTo((long) PlanTuning.BRIEF_NANOS);
  }

  @Test
  void dear_isNotBrief() {
    learn(1_000, 1000);
    assertThat(briefOf(3)).isZero();
    assertThat(briefOf(2)).isPositive();
  }

  @Test
  void bound_isNotBrief() {
    learn(1, 1000);
    cost.bind();
    assertThat(briefOf(10)).isZero();
  }

  @Test
  void surprised_isWatchedForAWhile_butNotBelieved() {
    learn(1, 1000);
    learn(1e6, 10);
    assertThat(cost.nanosPerElement()).as("one may be chance").isEqualTo(1);
    assertThat(briefOf(10)).as("but is looked into").isZero();
    assertThat(cost.trusted()).isEqualTo(1);
    for (int i = 0; i < PlanTuning.SUSPICIOUS_LOOPS; i++) {
      assertThat(briefOf(10)).isZero();
      learn(1, 1000);
    }
    assertThat(briefOf(10)).isPositive();
  }

  /** A thread that waits for a processor now and then must not be watched for ever. */
  @Test
  void surprisedAgainAndAgainInOneBlock_isNeverWatchedForLong() {
    learn(1, 1000);
    for (int k = 0; k < 100; k++) {
      learn(1e6, 10);
      learn(1, 1000);
    }
    for (int i = 1; i < PlanTuning.SUSPICIOUS_LOOPS; i++) {
      learn(1, 1000);
    }
    assertThat(briefOf(10)).isPositive();
    assertThat(cost.nanosPerElement()).isEqualTo(1);
  }

  /** Caches are cold after such a wait. */
  @Test
  void surprisedOnce_andThenALittleSlow_isNotWatchedForLong() {
    learn(1, 1000);
    learn(4e3, 500);
    learn(4e3, 2);
    for (int i = 0; i < 2 * PlanTuning.SUSPICIOUS_LOOPS; i++) {
      learn(1, 1000);
    }
    assertThat(briefOf(10)).isPositive();
  }

  @Test
  void surprisedInManyBlocks_isWatchedForLong() {
    learn(1, 1000);
    learnSpread(1e6, 10);
    assertThat(cost.nanosPerElement()).isEqualTo(1e6);
    for (int i = 0; i < PlanTuning.WARY_LOOPS - 1; i++) {
      learn(1, 1000);
    }
    assertThat(briefOf(10)).isZero();
    learn(1, 1000);
    assertThat(briefOf(10)).isPositive();
  }

  @Test
  void longLoopOfCheapElements_withOneLongBlock_isNotBelieved() {
    learn(1, 1000);
    cost.learn(400, 1_000_000, 1_000_000);
    assertThat(cost.nanosPerElement()).isEqualTo(1);
  }

  /** Code of its own is interpreted at first. */
  @Test
  void newCode_isNotWonderedAt() {
    var renewed =
        new Cost() {
          void renew() {
            codeChanged();
          }
        };
    renewed.learn(1, 1000, 0);
    renewed.renew();
    renewed.learn(300, 1000, 200_000);
    renewed.learn(1, 1000, 0);
    assertThat(renewed.isBrief(10)).isTrue();
  }

  @Test
  void dearTwiceInARow_afterCheapOnes_isWatchedForLong() {
    learn(1, 1000);
    learn(1e6, 10);
    learn(1e6, 10);
    for (int i = 0; i < PlanTuning.WARY_LOOPS - 1; i++) {
      learn(1, 1000);
    }
    assertThat(briefOf(10)).isZero();
    assertThat(cost.trusted()).isEqualTo(1);
    learn(1, 1000);
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
