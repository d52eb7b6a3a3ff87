package dev.blitz.parallel.internal.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Pool;
import dev.blitz.parallel.sort.Patterns;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sorts that {@link Rivals} chooses from, each called by its name, with and without slices. */
@Strict
@LeakChecked
class RandomSortsTest {
  private static final int[] SIZES = {1, 2, 24, 25, 100, 2_500, 8_192, 8_193, 30_000};
  private static final int LARGE = 100_000;

  private interface Check {
    void on(long[] input);
  }

  private static void forEachInput(Patterns pattern, Check check) {
    for (int size : SIZES) {
      check.on(pattern.longs(size, size));
    }
    for (int workers = 1; workers <= 8; workers++) {
      int size = workers % 3 == 2 ? LARGE : 9_000 + workers;
      try (var pool = Pool.of(workers)) {
        long[] input = pattern.longs(size, workers);
        pool.run(() -> check.on(input));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void longs_byRadix_areSortedAsByTheJdk(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          int from = input.length / 10;
          int to = input.length - from / 2;
          long[] expected = input.clone();
          Arrays.sort(expected, from, to);
          long[] actual = input.clone();
          LongRadix.sort(actual, from, to);
          assertThat(Arrays.equals(actual, expected)).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void doubles_byKeysAndByTheJdk_areSortedAlike(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          double[] doubles = Arrays.stream(input).mapToDouble(x -> x / 3.0).toArray();
          double[] odd = {0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
          var random = new Random(input.length);
          for (int k = 0; k < doubles.length / 20; k++) {
            doubles[random.nextInt(doubles.length)] = odd[random.nextInt(odd.length)];
          }
          int from = doubles.length / 10;
          int to = doubles.length - from / 2;
          double[] expected = doubles.clone();
          Arrays.sort(expected, from, to);
          double[] byKeys = doubles.clone();
          DoubleSort.sortByKeys(byKeys, from, to);
          assertThat(bits(byKeys)).isEqualTo(bits(expected));
          double[] byJdk = doubles.clone();
          DoubleSort.sortByJdk(byJdk, from, to);
          assertThat(bits(byJdk)).isEqualTo(bits(expected));
        });
  }

  private static long[] bits(double[] a) {
    return Arrays.stream(a).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  /** All in one bucket but for one, level after level: as many levels as there can be. */
  @Test
  void longs_thatShareMostBits_areSorted() {
    try (var pool = Pool.of(3)) {
      for (int bits = 1; bits < Long.SIZE; bits++) {
        long mask = (1L << bits) - 1;
        long[] a = new Random(bits).longs(20_000).map(x -> x & mask).toArray();
        a[777] = Long.MIN_VALUE;
        a[778] = Long.MAX_VALUE;
        long[] expected = a.clone();
        Arrays.sort(expected);
        pool.run(() -> LongRadix.sort(a, 0, a.length));
        assertThat(Arrays.equals(a, expected)).as("%d bits", bits).isTrue();
      }
    }
  }
}
