package dev.blitz.parallel.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Merges and set operations against counts per value, seeded, on one to eight workers. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class SortedArraysTest {
  private static final int LARGE = 60_000;

  private interface Check {
    void on(long[] left, long[] right);
  }

  private static long[] sorted(Random random, int size, int values) {
    return random.longs(size, -values, values).sorted().toArray();
  }

  private static void forEachPair(Check check) {
    var random = new Random(7);
    for (int size = 0; size <= 2000; size += 1 + random.nextInt(150)) {
      for (int values : new int[] {1, 20, 5000}) {
        check.on(sorted(random, size, values), sorted(random, random.nextInt(500), values));
      }
    }
    for (int workers = 1; workers <= 8; workers++) {
      try (var pool = Pool.of(workers)) {
        for (int values : new int[] {1, 3, 500, 1_000_000}) {
          pool.run(
              () -> check.on(sorted(random, LARGE, values), sorted(random, LARGE / 2, values)));
          pool.run(() -> check.on(sorted(random, 10, values), sorted(random, LARGE, values)));
        }
      }
    }
  }

  /** Each value as often as a rule says, by how often it is left and right. */
  private static long[] byCounts(long[] left, long[] right, IntBinaryOperator rule) {
    var counts = new TreeMap<Long, int[]>();
    for (long x : left) {
      counts.computeIfAbsent(x, k -> new int[2])[0]++;
    }
    for (long x : right) {
      counts.computeIfAbsent(x, k -> new int[2])[1]++;
    }
    return counts.entrySet().stream()
        .flatMapToLong(e ->
            LongStream.generate(e::getKey).limit(rule.applyAsInt(e.getValue()[0], e.getValue()[1])))
        .toArray();
  }

  private static int[] ints(long[] a) {
    return Arrays.stream(a).mapToInt(x -> (int) x).toArray();
  }

  private static double[] doubles(long[] a) {
    return Arrays.stream(a).mapToDouble(x -> x / 2.0).toArray();
  }

  @Test
  void everyOperation_asCountsSay() {
    forEachPair((left, right) -> {
      long[] merged = byCounts(left, right, Integer::sum);
      long[] union = byCounts(left, right, Math::max);
      long[] intersection = byCounts(left, right, Math::min);
      long[] difference = byCounts(left, right, (m, n) -> Math.max(0, m - n));
      assertThat(SortedArrays.merge(left, right)).isEqualTo(merged);
      assertThat(SortedArrays.union(left, right)).isEqualTo(union);
      assertThat(SortedArrays.intersection(left, right)).isEqualTo(intersection);
      assertThat(SortedArrays.difference(left, right)).isEqualTo(difference);
      assertThat(SortedArrays.merge(ints(left), ints(right))).isEqualTo(ints(merged));
      assertThat(SortedArrays.union(ints(left), ints(right))).isEqualTo(ints(union));
      assertThat(SortedArrays.intersection(ints(left), ints(right))).isEqualTo(ints(intersection));
      assertThat(SortedArrays.difference(ints(left), ints(right))).isEqualTo(ints(difference));
      assertThat(SortedArrays.merge(doubles(left), doubles(right))).isEqualTo(doubles(merged));
      assertThat(SortedArrays.union(doubles(left), doubles(right))).isEqualTo(doubles(union));
      assertThat(SortedArrays.intersection(doubles(left), doubles(right)))
          .isEqualTo(doubles(intersection));
      assertThat(SortedArrays.difference(doubles(left), doubles(right)))
          .isEqualTo(doubles(difference));
    });
  }

  private record Item(long key, boolean left) {}

  private static Item[] items(long[] keys, boolean left) {
    return Arrays.stream(keys).mapToObj(k -> new Item(k, left)).toArray(Item[]::new);
  }

  @Test
  void objects_ofEqualOnesTheLeftComesFirst() {
    Comparator<Item> order = (x, y) -> Long.compare(x.key, y.key);
    forEachPair((left, right) -> {
      Item[] a = items(left, true);
      Item[] b = items(right, false);
      Item[] stable = new Item[a.length + b.length];
      System.arraycopy(a, 0, stable, 0, a.length);
      System.arraycopy(b, 0, stable, a.length, b.length);
      Arrays.sort(stable, order);
      assertThat(SortedArrays.merge(a, b, order)).isEqualTo(stable);
      assertThat(keys(SortedArrays.union(a, b, order))).isEqualTo(byCounts(left, right, Math::max));
      Item[] common = SortedArrays.intersection(a, b, order);
      assertThat(keys(common)).isEqualTo(byCounts(left, right, Math::min));
      assertThat(common).allMatch(Item::left);
      assertThat(keys(SortedArrays.difference(a, b, order)))
          .isEqualTo(byCounts(left, right, (m, n) -> Math.max(0, m - n)));
    });
  }

  private static long[] keys(Item[] items) {
    return Arrays.stream(items).mapToLong(Item::key).toArray();
  }

  @Test
  void doubles_areOrderedAsByCompare() {
    double[] left = {-0.0, 0.0, Double.NaN};
    double[] right = {0.0, Double.NaN, Double.NaN};
    assertThat(SortedArrays.intersection(left, right)).containsExactly(0.0, Double.NaN);
    assertThat(SortedArrays.difference(left, right)).containsExactly(-0.0);
    assertThat(SortedArrays.union(left, right)).containsExactly(-0.0, 0.0, Double.NaN, Double.NaN);
  }

  @Test
  void inputThatIsNotSorted_yieldsItsElements_andNeverFails() {
    var random = new Random(9);
    for (int round = 0; round < 20; round++) {
      long[] left = random.longs(50_000, 0, 100).toArray();
      long[] right = IntStream.range(0, 40_000).mapToLong(i -> 40_000 - i).toArray();
      long[] all = SortedArrays.merge(left, right);
      Arrays.sort(all);
      assertThat(all).isEqualTo(byCounts(left, right, Integer::sum));
      assertThat(SortedArrays.union(left, right).length).isLessThanOrEqualTo(90_000);
      assertThat(SortedArrays.intersection(left, right).length).isLessThanOrEqualTo(40_000);
      assertThat(SortedArrays.difference(left, right).length).isLessThanOrEqualTo(50_000);
    }
  }

  @Test
  void orderThatThrows_endsIt_andThePoolGoesOn() {
    Long[] left = LongStream.range(0, 50_000).boxed().toArray(Long[]::new);
    Comparator<Long> bad =
        (x, y) -> {
          if (x == 30_000) {
            throw new IllegalStateException("in the middle");
          }
          return Long.compare(x, y);
        };
    try (var pool = Pool.of(3)) {
      assertThatThrownBy(() -> pool.run(() -> SortedArrays.union(left, left.clone(), bad)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("in the middle");
      assertThat(pool.call(() -> SortedArrays.merge(left, left, Long::compare)).length)
          .isEqualTo(100_000);
    }
  }

  @Test
  void nulls_areRefused() {
    assertThatThrownBy(() -> SortedArrays.merge(null, new long[1]))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> SortedArrays.union(new int[1], null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> SortedArrays.union(new Long[0], new Long[0], null))
        .isInstanceOf(NullPointerException.class);
  }
}
