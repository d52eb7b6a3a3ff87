package dev.blitz.parallel.internal.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers with few values, and with just more of them than are counted, against the JDK's sort. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class FewValuesTest {
  private static final int[] SIZES = {8_192, 8_193, 20_000};
  private static final int[] VALUES = {2, 32, 33, 64, 65, 66, 130};

  /** Values anywhere, some of them at the ends of the range; or neighbours. */
  private static long[] input(int size, int values, boolean near, Random random) {
    long[] known = new long[values];
    for (int i = 0; i < values; i++) {
      known[i] =
          near
              ? 1_000 + i
              : switch (i) {
                case 0 -> 0;
                case 1 -> Long.MIN_VALUE;
                case 2 -> Long.MAX_VALUE;
                case 3 -> -1;
                default -> random.nextLong();
              };
    }
    long[] a = new long[size];
    for (int i = 0; i < size; i++) {
      a[i] = known[random.nextInt(values)];
    }
    return a;
  }

  private interface Check {
    void on(long[] input, String name);
  }

  private static void forEachInput(int workers, Check check) {
    var random = new Random(workers);
    try (var pool = Pool.of(workers)) {
      for (int size : SIZES) {
        for (int values : VALUES) {
          for (boolean near : new boolean[] {true, false}) {
            long[] input = input(size, values, near, random);
            String name = size + " of " + values + (near ? " near" : " far");
            pool.run(() -> check.on(input, name));
            // What no sample sees: one that differs, the very last and somewhere.
            input[size - 1] = 5;
            pool.run(() -> check.on(input, name + ", last"));
            input[random.nextInt(size)] = Long.MIN_VALUE + 77;
            pool.run(() -> check.on(input, name + ", somewhere"));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void longs_areSortedAsByTheJdk(int workers) {
    forEachInput(
        workers,
        (input, name) -> {
          long[] expected = input.clone();
          Arrays.sort(expected);
          long[] actual = input.clone();
          Parallel.sort(actual);
          assertThat(Arrays.equals(actual, expected)).as(name).isTrue();
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void ints_areSortedAsByTheJdk(int workers) {
    forEachInput(
        workers,
        (input, name) -> {
          int[] actual = Arrays.stream(input).mapToInt(x -> (int) x).toArray();
          int[] expected = actual.clone();
          Arrays.sort(expected);
          Parallel.sort(actual);
          assertThat(Arrays.equals(actual, expected)).as(name).isTrue();
        });
  }

  /** Arbitrary bits: zeros of both signs, infinities, NaNs with a sign and without. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void doubles_areSortedAsByTheJdk(int workers) {
    forEachInput(
        workers,
        (input, name) -> {
          double[] actual = Arrays.stream(input).mapToDouble(Double::longBitsToDouble).toArray();
          double[] expected = actual.clone();
          Arrays.sort(expected);
          Parallel.sort(actual);
          assertThat(Arrays.equals(actual, expected)).as(name).isTrue();
          long[] bits = Arrays.stream(actual).mapToLong(Double::doubleToRawLongBits).toArray();
          long[] bitsBefore = input.clone();
          Arrays.sort(bits);
          Arrays.sort(bitsBefore);
          assertThat(Arrays.equals(bits, bitsBefore)).as(name).isTrue();
        });
  }

  @Test
  void zerosAndNans_areOrderedAsByTheJdk() {
    double[] kinds = {
      0.0,
      -0.0,
      Double.NaN,
      1.5,
      Double.NEGATIVE_INFINITY,
      Double.POSITIVE_INFINITY,
      Double.longBitsToDouble(0xfff8_0000_0000_0123L)
    };
    // Without the last kind they are counted.
    for (int values = 2; values <= kinds.length; values++) {
      var random = new Random(values);
      double[] a = new double[10_000];
      for (int i = 0; i < a.length; i++) {
        a[i] = kinds[random.nextInt(values)];
      }
      double[] expected = a.clone();
      Arrays.sort(expected);
      boolean counted = FewValues.trySort(new DoubleNumbers(), a, 0, a.length);
      assertThat(counted).isEqualTo(values < kinds.length);
      if (!counted) {
        DoubleSort.sort(a, 0, a.length);
      }
      assertThat(Arrays.equals(a, expected)).isTrue();
    }
  }

  @Test
  void theRestOfAnArray_staysAsItIs() {
    int size = 30_000;
    for (int from : new int[] {0, 3, 20_000}) {
      long[] input = input(size, 40, false, new Random(from));
      int to = size - 7;
      long[] longs = input.clone();
      long[] expectedLongs = input.clone();
      Arrays.sort(expectedLongs, from, to);
      LongSort.sort(longs, from, to);
      assertThat(Arrays.equals(longs, expectedLongs)).isTrue();
      int[] ints = Arrays.stream(input).mapToInt(x -> (int) x).toArray();
      int[] expectedInts = ints.clone();
      Arrays.sort(expectedInts, from, to);
      IntSort.sort(ints, from, to);
      assertThat(Arrays.equals(ints, expectedInts)).isTrue();
    }
  }

  @Test
  void tooManyValues_leaveTheArrayAsItWas() {
    long[] input = new Random(1).longs(20_000).toArray();
    Arrays.fill(input, 0, 19_000, 7);
    long[] a = input.clone();
    assertThat(FewValues.trySort(new LongNumbers(), a, 0, a.length)).isFalse();
    assertThat(a).isEqualTo(input);
  }
}
