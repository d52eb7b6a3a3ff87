package dev.blitz.parallel.iter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.math.BigDecimal;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Sums of doubles: the same bits whoever computes them. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class DoubleSumTest {
  private static double[] wild(int size, long seed) {
    var random = new Random(seed);
    double[] a = new double[size];
    for (int i = 0; i < size; i++) {
      a[i] = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(30) - 15);
    }
    return a;
  }

  private static void assertSameBits(double[] a, ToDoubleFunction<DoubleIter> sum) {
    long expected = Double.doubleToRawLongBits(sum.applyAsDouble(Parallel.iter(a)));
    for (int workers = 1; workers <= 8; workers++) {
      try (var pool = Pool.of(workers)) {
        for (int grain : new int[] {1, 3, 50}) {
          var options = LoopOptions.DEFAULT.withGrain(grain);
          double there = sum.applyAsDouble(Parallel.iter(a).on(pool).with(options));
          assertThat(Double.doubleToRawLongBits(there)).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void sums_haveTheSameBits_onAnyNumberOfWorkers() {
    for (int size : new int[] {0, 1, 7, 1023, 1024, 1025, 10_000, 100_003}) {
      double[] a = wild(size, size);
      assertSameBits(a, DoubleIter::sum);
      assertSameBits(a, DoubleIter::sumCompensated);
      assertSameBits(a, iter -> iter.map(x -> x * 1.1).filter(x -> x > -3).sum());
      assertSameBits(a, iter -> iter.reversed().zip(a, (x, y) -> x * y).sum());
      assertSameBits(a, iter -> iter.reduce(0, (x, y) -> x + y));
      assertSameBits(a, iter -> iter.summaryStatistics().getSum());
      assertSameBits(a, iter -> iter.flatMap(x -> Parallel.iter(new double[] {x, 1})).sum());
    }
  }

  @Test
  void sums_haveTheSameBits_spunOrNot() {
    double[] a = wild(300_000, 5);
    ToDoubleFunction<DoubleIter> sum = iter -> iter.map(x -> x * 1.3).filter(x -> x < 1e9).sum();
    long first = Double.doubleToRawLongBits(sum.applyAsDouble(Parallel.iter(a)));
    for (int i = 0; i < 10; i++) {
      assertThat(Double.doubleToRawLongBits(sum.applyAsDouble(Parallel.iter(a)))).isEqualTo(first);
    }
  }

  @Test
  void sums_areNearTheTruth() {
    double[] a = wild(50_000, 8);
    BigDecimal exact = BigDecimal.ZERO;
    for (double x : a) {
      exact = exact.add(new BigDecimal(x));
    }
    double truth = exact.doubleValue();
    assertThat(Parallel.iter(a).sumCompensated()).isEqualTo(truth);
    assertThat(Math.abs(Parallel.iter(a).sum() - truth)).isLessThan(Math.abs(truth) * 1e-9);
  }

  @Test
  void compensation_keepsWhatASumLoses() {
    double[] a = new double[3000];
    a[0] = 1e100;
    a[1] = 1;
    a[2999] = -1e100;
    assertThat(Parallel.iter(a).sumCompensated()).isEqualTo(1);
    assertThat(Parallel.iter(new double[] {1, Double.POSITIVE_INFINITY}).sumCompensated())
        .isInfinite();
    assertThat(Parallel.iter(new double[] {1, Double.NaN}).sumCompensated()).isNaN();
  }

  @Test
  void minMaxAverage_asStreamsDo() {
    double[] a = {3, -0.0, 0.0, 7.5};
    assertThat(Parallel.iter(a).min().getAsDouble()).isEqualTo(-0.0);
    assertThat(Parallel.iter(a).max().getAsDouble()).isEqualTo(7.5);
    assertThat(Parallel.iter(a).average().getAsDouble()).isEqualTo(2.625);
    assertThat(Parallel.iter(new double[0]).average()).isEmpty();
    assertThat(Parallel.iter(new double[] {1, Double.NaN}).max().getAsDouble()).isNaN();
  }
}
