package dev.blitz.parallel.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sort against the JDK's, on every pattern, with one to eight workers. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+")
class ParallelSortTest {
  private static final int[] SIZES = {0, 1, 2, 3, 24, 25, 100, 1000, 2000, 2500, 8193};
  private static final List<Patterns> PATTERNS = List.of(Patterns.values());
  private static final int LARGE = 100_000;

  private record Item(long key, int index) {}

  private static Item[] items(long[] keys) {
    return IntStream.range(0, keys.length).mapToObj(i -> new Item(keys[i], i)).toArray(Item[]::new);
  }

  private interface Check {
    void on(long[] input);
  }

  private static void forEachInput(Patterns pattern, Check check) {
    for (int size : SIZES) {
      check.on(pattern.longs(size, size));
    }
    for (int workers = 1; workers <= 8; workers++) {
      int size = workers % 3 == 2 ? LARGE : 9000 + workers;
      try (var pool = Pool.of(workers)) {
        long[] input = pattern.longs(size, workers);
        pool.run(() -> check.on(input));
      }
    }
  }

  /** Runs that hold zeros of both signs, and some of them NaNs, which go to the end of all. */
  @ParameterizedTest
  @ValueSource(ints = {3000, LARGE})
  void doubles_inFewRuns_areSortedAsByTheJdk(int size) {
    var random = new Random(size);
    double[] odd = {0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
    for (int runs = 1; runs <= 9; runs++) {
      int kinds = runs % 2 == 0 ? odd.length : 2;
      double[] actual = new double[size];
      for (int i = 0; i < size; i++) {
        actual[i] = random.nextInt(5) > 0 ? random.nextInt(99) - 49 : odd[random.nextInt(kinds)];
      }
      for (int run = 0; run < runs; run++) {
        int from = size * run / runs;
        int to = size * (run + 1) / runs;
        Arrays.sort(actual, from, to);
        if (run % 3 == 2) {
          // Each below the one before it.
          for (int i = from; i < to; i++) {
            actual[i] = -i / 7.0;
          }
        }
      }
      double[] expected = actual.clone();
      Arrays.sort(expected);
      Parallel.sort(actual);
      assertThat(bits(actual)).isEqualTo(bits(expected));
    }
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void longs_areSortedAsByTheJdk(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          long[] expected = input.clone();
          Arrays.sort(expected);
          long[] actual = input.clone();
          Parallel.sort(actual);
          assertThat(actual).isEqualTo(expected);
          ParallelSort.sortDescending(actual);
          LongStreams.reverse(expected);
          assertThat(actual).isEqualTo(expected);
        });
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void ints_areSortedAsByTheJdk(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          int[] actual = Arrays.stream(input).mapToInt(x -> (int) x).toArray();
          int[] expected = actual.clone();
          Arrays.sort(expected);
          Parallel.sort(actual);
          assertThat(actual).isEqualTo(expected);
          ParallelSort.sortDescending(actual);
          boolean falling = true;
          for (int i = 1; i < actual.length; i++) {
            falling &= actual[i] <= actual[i - 1];
          }
          assertThat(falling).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void doubles_areSortedAsByTheJdk(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          double[] actual = Arrays.stream(input).mapToDouble(x -> x / 3.0).toArray();
          var random = new Random(input.length);
          if (pattern != Patterns.SORTED && pattern != Patterns.REVERSE) {
            for (int k = 0; k < actual.length / 20; k++) {
              double[] odd = {0.0, -0.0, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
              actual[random.nextInt(actual.length)] = odd[random.nextInt(odd.length)];
            }
          }
          double[] expected = actual.clone();
          Arrays.sort(expected);
          Parallel.sort(actual);
          assertThat(bits(actual)).isEqualTo(bits(expected));
          ParallelSort.sortDescending(actual);
          boolean falling = true;
          for (int i = 1; i < actual.length; i++) {
            falling &= Double.compare(actual[i], actual[i - 1]) <= 0;
          }
          assertThat(falling).isTrue();
        });
  }

  @Test
  void negativeNaNs_comeLast_andKeepTheirBits() {
    double odd = Double.longBitsToDouble(0xfff8_0000_0000_0123L);
    double[] a = new Random(5).doubles(5000).toArray();
    a[17] = odd;
    Parallel.sort(a);
    assertThat(Double.doubleToRawLongBits(a[4999])).isEqualTo(Double.doubleToRawLongBits(odd));
  }

  private static long[] bits(double[] a) {
    return Arrays.stream(a).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void objects_areSortedStably(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          Comparator<Item> order = Comparator.comparingLong(Item::key);
          Item[] expected = items(input);
          Arrays.sort(expected, order);
          Item[] actual = items(input);
          Parallel.sort(actual, order);
          assertThat(Arrays.equals(actual, expected)).isTrue();
        });
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void objects_byKey_areSortedStably(Patterns pattern) {
    long[] input = pattern.longs(20_000, 7);
    Item[] expected = items(input);
    Arrays.sort(expected, Comparator.comparingLong(Item::key));
    for (int workers = 1; workers <= 8; workers += 3) {
      try (var pool = Pool.of(workers)) {
        Item[] byKey = items(input);
        pool.run(() -> ParallelSort.sortByKey(byKey, Item::key));
        assertThat(Arrays.equals(byKey, expected)).isTrue();
        Item[] cached = items(input);
        pool.run(() -> ParallelSort.sortByCachedKey(cached, Item::key));
        assertThat(Arrays.equals(cached, expected)).isTrue();
        Item[] byLong = items(input);
        pool.run(() -> ParallelSort.sortByLong(byLong, Item::key));
        assertThat(Arrays.equals(byLong, expected)).isTrue();
        int[] indices = Arrays.stream(expected).mapToInt(Item::index).toArray();
        assertThat(pool.call(() -> ParallelSort.argsort(input))).isEqualTo(indices);
        assertThat(
                pool.call(
                    () -> ParallelSort.argsort(items(input), Comparator.comparingLong(Item::key))))
            .isEqualTo(indices);
      }
    }
  }

  @Test
  void argsort_ofDoubles_putsNaNsLastByIndex() {
    double[] a = {3, Double.NaN, -0.0, 0.0, Double.POSITIVE_INFINITY, Double.NaN, -1};
    assertThat(ParallelSort.argsort(a)).containsExactly(6, 2, 3, 0, 4, 1, 5);
  }

  @ParameterizedTest
  @EnumSource(Patterns.class)
  void sortUnstable_sorts(Patterns pattern) {
    forEachInput(
        pattern,
        input -> {
          Long[] actual = Arrays.stream(input).boxed().toArray(Long[]::new);
          Long[] expected = actual.clone();
          Arrays.sort(expected);
          Long[] reversed = actual.clone();
          ParallelSort.sortUnstable(actual);
          assertThat(Arrays.equals(actual, expected)).isTrue();
          ParallelSort.sortUnstable(reversed, Collections.reverseOrder());
          Collections.reverse(Arrays.asList(reversed));
          assertThat(Arrays.equals(reversed, expected)).isTrue();
        });
  }

  @Test
  void sizesUpToTwoThousand_ofEveryKind() {
    var random = new Random(11);
    for (int size = 0; size <= 2000; size += 1 + random.nextInt(7)) {
      long[] longs = random.longs(size, -50, 50).toArray();
      long[] expected = longs.clone();
      Arrays.sort(expected);
      Long[] stable = Arrays.stream(longs).boxed().toArray(Long[]::new);
      Long[] unstable = stable.clone();
      Parallel.sort(longs);
      Parallel.sort(stable);
      ParallelSort.sortUnstable(unstable);
      assertThat(longs).isEqualTo(expected);
      assertThat(stable).isEqualTo(unstable);
      assertThat(Arrays.stream(stable).mapToLong(x -> x).toArray()).isEqualTo(expected);
    }
  }

  @Test
  void ranges_leaveTheRestAlone() {
    for (int from : new int[] {0, 5, 30_000}) {
      long[] longs = Patterns.RANDOM.longs(50_000, 3);
      long[] expected = longs.clone();
      Arrays.sort(expected, from, 49_000);
      ParallelSort.sort(longs, from, 49_000);
      assertThat(longs).isEqualTo(expected);
      int[] ints = new Random(4).ints(50_000).toArray();
      int[] expectedInts = ints.clone();
      Arrays.sort(expectedInts, from, 49_000);
      ParallelSort.sort(ints, from, 49_000);
      assertThat(ints).isEqualTo(expectedInts);
      double[] doubles = new Random(4).doubles(50_000).toArray();
      double[] expectedDoubles = doubles.clone();
      Arrays.sort(expectedDoubles, from, 49_000);
      ParallelSort.sort(doubles, from, 49_000);
      assertThat(doubles).isEqualTo(expectedDoubles);
      Item[] objects = items(Patterns.FEW_DISTINCT.longs(50_000, 3));
      Item[] expectedObjects = objects.clone();
      Arrays.sort(expectedObjects, from, 49_000, Comparator.comparingLong(Item::key));
      ParallelSort.sort(objects, from, 49_000, Comparator.comparingLong(Item::key));
      assertThat(Arrays.equals(objects, expectedObjects)).isTrue();
    }
  }

  @Test
  @SuppressWarnings("JdkObsolete") // a list without random access
  void lists_areSortedInPlace() {
    List<Integer> list = new LinkedList<>(new Random(1).ints(20_000).boxed().toList());
    List<Integer> expected = list.stream().sorted().toList();
    Parallel.sort(list, Comparator.naturalOrder());
    assertThat(list).isEqualTo(expected);
    assertThatThrownBy(() -> Parallel.sort(List.of(2, 1), Comparator.naturalOrder()))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void badInput_isRefused() {
    assertThatThrownBy(() -> Parallel.sort((long[]) null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> Parallel.sort(new String[] {"a"}, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> ParallelSort.sort(new long[3], 2, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ParallelSort.sort(new double[3], 2, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> Parallel.sort(new Integer[] {1, null}))
        .isInstanceOf(NullPointerException.class);
  }

  private static void assertSameElements(Item[] actual, Item[] expected) {
    Set<Item> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Collections.addAll(seen, actual);
    assertThat(seen).as("none is there twice").hasSize(actual.length);
    Arrays.asList(expected).forEach(seen::remove);
    assertThat(seen).as("none is lost").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void comparatorThatThrows_losesNoElement(boolean stable) {
    var random = new Random(9);
    for (int size : new int[] {2, 30, 500, 30_000}) {
      for (int round = 0; round < 12; round++) {
        Item[] input = items(PATTERNS.get(round).longs(size, round));
        Item[] actual = input.clone();
        var left = new AtomicInteger(1 + random.nextInt(size * 8));
        Comparator<Item> order =
            (x, y) -> {
              if (left.decrementAndGet() == 0) {
                throw new IllegalStateException("enough");
              }
              return Long.compare(x.key(), y.key());
            };
        try (var pool = Pool.of(1 + round % 3)) {
          pool.run(() -> {
            if (stable) {
              Parallel.sort(actual, order);
            } else {
              ParallelSort.sortUnstable(actual, order);
            }
          });
        } catch (IllegalStateException e) {
          assertThat(e).hasMessage("enough");
        }
        assertSameElements(actual, input);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void comparatorThatLies_neitherThrowsNorLosesAnElement(boolean stable) {
    for (int size : new int[] {3, 100, 5000, 100_000}) {
      for (long seed = 0; seed < 6; seed++) {
        Item[] input = items(Patterns.RANDOM.longs(size, seed));
        Item[] actual = input.clone();
        long salt = seed;
        Comparator<Item> order = (x, y) -> (int) (x.key() * 31 + y.key() * 17 + salt) % 3;
        if (stable) {
          Parallel.sort(actual, order);
        } else {
          ParallelSort.sortUnstable(actual, order);
        }
        assertSameElements(actual, input);
      }
    }
  }

  /** McIlroy's adversary: it answers so that a quicksort's pivots are always among the least. */
  private static final class Adversary implements Comparator<Integer> {
    private final int gas;
    private final int[] values;
    private int solid;
    private int candidate;
    private final LongAdder comparisons = new LongAdder();

    Adversary(int n) {
      gas = n;
      values = new int[n];
      Arrays.fill(values, gas);
    }

    @Override
    public synchronized int compare(Integer x, Integer y) {
      comparisons.increment();
      if (values[x] == gas && values[y] == gas) {
        values[x == candidate ? x : y] = solid++;
      }
      if (values[x] == gas) {
        candidate = x;
      } else if (values[y] == gas) {
        candidate = y;
      }
      return Integer.compare(values[x], values[y]);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void adversary_forcesNoMoreThanALogarithm(boolean stable) {
    int n = 40_000;
    var adversary = new Adversary(n);
    Integer[] a = IntStream.range(0, n).boxed().toArray(Integer[]::new);
    try (var pool = Pool.of(1)) {
      pool.run(() -> {
        if (stable) {
          Parallel.sort(a, adversary);
        } else {
          ParallelSort.sortUnstable(a, adversary);
        }
      });
    }
    assertThat(adversary.comparisons.sum()).isLessThan(6L * n * 16);
    int[] sorted = Arrays.stream(a).mapToInt(i -> adversary.values[i]).toArray();
    assertThat(sorted).isSorted();
  }

  @Test
  void sortInsideALeaf_ofAnotherLoop_works() {
    long[][] rows = new long[16][];
    Parallel.parallelFor(
        0,
        rows.length,
        i -> {
          rows[i] = Patterns.RANDOM.longs(20_000, i);
          Parallel.sort(rows[i]);
        });
    for (long[] row : rows) {
      assertThat(row).isSorted();
    }
  }

  private static final class LongStreams {
    static void reverse(long[] a) {
      for (int i = 0, j = a.length - 1; i < j; i++, j--) {
        long x = a[i];
        a[i] = a[j];
        a[j] = x;
      }
    }
  }
}
