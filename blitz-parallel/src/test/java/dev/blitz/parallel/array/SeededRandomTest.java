package dev.blitz.parallel.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random numbers and orders: the same whoever makes them, and no order likelier than another. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class SeededRandomTest {
  private static final int[] SIZES = {0, 1, 2, 1000, 32_768, 32_769, 65_536, 65_537, 300_000};

  @Test
  void fillsAndShuffles_areTheSame_onAnyNumberOfWorkers() {
    for (int size : SIZES) {
      var random = SeededRandom.of(size);
      long[] longs = new long[size];
      int[] ints = new int[size];
      double[] doubles = new double[size];
      random.fill(longs);
      random.fill(ints, -5, 5);
      random.fill(doubles);
      int[] order = random.permutation(size);
      for (int workers = 1; workers <= 8; workers++) {
        try (var pool = Pool.of(workers)) {
          pool.run(() -> {
            long[] again = new long[size];
            random.fill(again);
            assertThat(again).isEqualTo(longs);
            int[] intsAgain = new int[size];
            random.fill(intsAgain, -5, 5);
            assertThat(intsAgain).isEqualTo(ints);
            double[] doublesAgain = new double[size];
            random.fill(doublesAgain);
            assertThat(doublesAgain).isEqualTo(doubles);
            assertThat(random.permutation(size)).isEqualTo(order);
          });
        }
      }
    }
  }

  @Test
  void numbers_areWithinTheirRange_andSpread() {
    var random = SeededRandom.of(1);
    int[] counts = new int[10];
    int[] ints = new int[100_000];
    random.fill(ints, 3, 13);
    for (int x : ints) {
      counts[x - 3]++;
    }
    // Far beyond what chance does to 10,000 of 100,000.
    assertThat(Arrays.stream(counts)).allMatch(c -> c > 9_500 && c < 10_500);
    double[] doubles = new double[100_000];
    random.fill(doubles);
    assertThat(Arrays.stream(doubles).min().orElse(-1)).isBetween(0.0, 0.001);
    assertThat(Arrays.stream(doubles).max().orElse(2)).isBetween(0.999, Math.nextDown(1.0));
    assertThat(random.intAt(7, Integer.MIN_VALUE, Integer.MAX_VALUE))
        .isNotEqualTo(random.intAt(8, Integer.MIN_VALUE, Integer.MAX_VALUE));
    assertThat(random.longAt(5)).isEqualTo(SeededRandom.of(1).longAt(5));
    assertThat(random.longAt(5)).isNotEqualTo(SeededRandom.of(2).longAt(5));
  }

  @Test
  void permutations_holdEachIndexOnce() {
    for (int size : SIZES) {
      int[] order = SeededRandom.of(11).permutation(size);
      int[] sorted = order.clone();
      Arrays.sort(sorted);
      assertThat(sorted).isEqualTo(IntStream.range(0, size).toArray());
    }
    int[] order = SeededRandom.of(11).permutation(300_000);
    long fixed = IntStream.range(0, order.length).filter(i -> order[i] == i).count();
    assertThat(fixed).isLessThan(12);
    // Every part of the result comes from every part of the indices.
    double mean = IntStream.range(0, 1000).mapToLong(i -> order[i]).average().orElse(0);
    assertThat(mean).isBetween(130_000.0, 170_000.0);
  }

  @Test
  void everyOrder_isAsLikely() {
    Map<String, Integer> counts = new HashMap<>();
    for (int seed = 0; seed < 24_000; seed++) {
      counts.merge(Arrays.toString(SeededRandom.of(seed).permutation(4)), 1, Integer::sum);
    }
    assertThat(counts).hasSize(24);
    assertThat(counts.values()).allMatch(c -> c > 850 && c < 1150);
  }

  @Test
  void shuffles_ofAllKinds_areTheSameOrder() {
    int size = 50_000;
    var random = SeededRandom.of(3);
    int[] order = random.permutation(size);
    int[] ints = IntStream.range(0, size).toArray();
    long[] longs = IntStream.range(0, size).asLongStream().toArray();
    double[] doubles = IntStream.range(0, size).asDoubleStream().toArray();
    Integer[] objects = IntStream.range(0, size).boxed().toArray(Integer[]::new);
    random.shuffle(ints);
    random.shuffle(longs);
    random.shuffle(doubles);
    random.shuffle(objects);
    assertThat(ints).isEqualTo(order);
    assertThat(longs).isEqualTo(Arrays.stream(order).asLongStream().toArray());
    assertThat(doubles).isEqualTo(Arrays.stream(order).asDoubleStream().toArray());
    assertThat(objects).isEqualTo(Arrays.stream(order).boxed().toArray());
  }

  @Test
  void badInput_isRefused() {
    var random = SeededRandom.of(0);
    assertThatThrownBy(() -> random.permutation(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> random.fill(new int[1], 3, 3))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> random.intAt(0, 3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> random.shuffle((long[]) null))
        .isInstanceOf(NullPointerException.class);
  }
}
