package dev.blitz.parallel.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
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
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  private static int[] spread(int kind, int size, Random random) {
    return switch (kind) {
      case 0 -> random.ints(size).toArray();
      case 1 -> random.ints(size, 0, 2_000_000_000).toArray();
      case 2 -> random.ints(size, -500, 500).toArray(); // counted
      case 3 -> random.ints(size, Integer.MAX_VALUE - 300, Integer.MAX_VALUE).toArray();
      // A few far off, which must not make all others one bucket.
      case 4 ->
          random.ints(size, 0, 90_000).map(x -> x % 500 == 0 ? Integer.MIN_VALUE : x).toArray();
      case 5 -> random.ints(size, 0, 90_000).map(x -> x % 9 == 0 ? Integer.MAX_VALUE : x).toArray();
      // Too uneven for buckets.
      case 6 -> random.ints(size).map(x -> x >>> (x & 31)).toArray();
      case 7 -> random.ints(size).map(x -> (x & 15) == 0 ? x : 77).toArray();
      default ->
          random.ints(size).map(x -> x >= 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE).toArray();
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 70})
  void ints_ofAnySpread_areSortedAsByTheJdk(int workers) {
    try (var pool = Pool.of(workers)) {
      for (int kind = 0; kind < 9; kind++) {
        for (int size : new int[] {8_193, 20_000, LARGE}) {
          int[] input = spread(kind, size, new Random(kind));
          int[] expected = input.clone();
          Arrays.sort(expected);
          int[] whole = input.clone();
          pool.run(() -> Parallel.sort(whole));
          assertThat(Arrays.equals(whole, expected)).as("kind %d of %d", kind, size).isTrue();
          int[] part = input.clone();
          pool.run(() -> ParallelSort.sort(part, 3, size - 5));
          int[] expectedPart = input.clone();
          Arrays.sort(expectedPart, 3, size - 5);
          assertThat(Arrays.equals(part, expectedPart)).as("kind %d of %d", kind, size).isTrue();
        }
      }
    }
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
  void argsort_ofEveryKind_isThatOfTheLongs() {
    for (Patterns pattern : PATTERNS) {
      int[] ints =
          Arrays.stream(pattern.longs(20_000, 5)).mapToInt(x -> (int) (x ^ x >>> 32)).toArray();
      ints[7] = Integer.MAX_VALUE;
      ints[8] = Integer.MIN_VALUE;
      ints[9] = Integer.MAX_VALUE;
      Integer[] boxed = Arrays.stream(ints).boxed().toArray(Integer[]::new);
      int[] expected = ParallelSort.argsort(Arrays.stream(ints).asLongStream().toArray());
      for (int workers : new int[] {1, 3}) {
        try (var pool = Pool.of(workers)) {
          assertThat(pool.call(() -> ParallelSort.argsort(ints))).isEqualTo(expected);
          assertThat(pool.call(() -> ParallelSort.argsort(boxed))).isEqualTo(expected);
        }
      }
      assertThat(ints[expected[0]]).isEqualTo(Integer.MIN_VALUE);
    }
    assertThat(ParallelSort.argsort(new int[0])).isEmpty();
    assertThat(ParallelSort.argsort(new int[] {5})).containsExactly(0);
    assertThat(ParallelSort.argsort(new String[] {"b", "a", "b"})).containsExactly(1, 0, 2);
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
  void ranges_downwards_leaveTheRestAlone() {
    int size = 30_000;
    for (int from : new int[] {0, 5, 20_000}) {
      int to = size - 7;
      Long[] objects =
          Arrays.stream(Patterns.FEW_DISTINCT.longs(size, 3)).boxed().toArray(Long[]::new);
      Long[] expected = objects.clone();
      Arrays.sort(expected, from, to, Collections.reverseOrder());
      long[] longs = Arrays.stream(objects).mapToLong(x -> x).toArray();
      int[] ints = Arrays.stream(objects).mapToInt(Long::intValue).toArray();
      double[] doubles = Arrays.stream(objects).mapToDouble(x -> x).toArray();
      Long[] unstable = objects.clone();
      Long[] natural = objects.clone();
      ParallelSort.sortDescending(objects, from, to);
      assertThat(objects).isEqualTo(expected);
      ParallelSort.sortDescending(longs, from, to);
      assertThat(longs).isEqualTo(Arrays.stream(expected).mapToLong(x -> x).toArray());
      ParallelSort.sortDescending(ints, from, to);
      assertThat(ints).isEqualTo(Arrays.stream(expected).mapToInt(Long::intValue).toArray());
      ParallelSort.sortDescending(doubles, from, to);
      assertThat(doubles).isEqualTo(Arrays.stream(expected).mapToDouble(x -> x).toArray());
      ParallelSort.sortUnstable(unstable, from, to, Collections.reverseOrder());
      assertThat(unstable).isEqualTo(expected);
      Long[] rising = natural.clone();
      Arrays.sort(rising, from, to);
      ParallelSort.sortUnstable(natural, from, to);
      assertThat(natural).isEqualTo(rising);
    }
  }

  /** Of equal elements the first stays first, though the order is turned round. */
  @Test
  void sortDescending_ofObjects_isStable() {
    record Ranked(int rank, int index) implements Comparable<Ranked> {
      @Override
      public int compareTo(Ranked other) {
        return Integer.compare(rank, other.rank);
      }
    }
    Ranked[] a =
        IntStream.range(0, 20_000).mapToObj(i -> new Ranked(i * 31 % 7, i)).toArray(Ranked[]::new);
    Ranked[] expected = a.clone();
    Arrays.sort(expected, Comparator.comparingInt(Ranked::rank).reversed());
    ParallelSort.sortDescending(a);
    assertThat(Arrays.equals(a, expected)).isTrue();
  }

  @Test
  void keys_areAskedForOncePerElement() {
    Item[] input = items(Patterns.RANDOM.longs(20_000, 1));
    var asked = new LongAdder();
    ToLongFunction<Item> key =
        item -> {
          asked.increment();
          return item.key();
        };
    try (var pool = Pool.of(2)) {
      Item[] byLong = input.clone();
      pool.run(() -> ParallelSort.sortByLong(byLong, key));
      assertThat(asked.sumThenReset()).isEqualTo(input.length);
      Item[] cached = input.clone();
      pool.run(() -> ParallelSort.sortByCachedKey(cached, key::applyAsLong));
      assertThat(asked.sumThenReset()).isEqualTo(input.length);
      assertThat(Arrays.equals(byLong, cached)).isTrue();
    }
  }

  @Test
  void keysThatThrow_leaveAllAsItWas() {
    Item[] input = items(Patterns.RANDOM.longs(20_000, 1));
    List<Item> list = new ArrayList<>(List.of(input));
    ToLongFunction<Item> key =
        item -> {
          if (item.index() == 15_000) {
            throw new IllegalStateException("no key");
          }
          return item.key();
        };
    Item[] a = input.clone();
    assertThatThrownBy(() -> ParallelSort.sortByLong(a, key)).hasMessage("no key");
    assertThatThrownBy(() -> ParallelSort.sortByCachedKey(a, key::applyAsLong))
        .hasMessage("no key");
    assertThat(Arrays.equals(a, input)).isTrue();
    assertThatThrownBy(() -> ParallelSort.sortByLong(list, key)).hasMessage("no key");
    assertThatThrownBy(() -> ParallelSort.sortByCachedKey(list, key::applyAsLong))
        .hasMessage("no key");
    assertThatThrownBy(() -> ParallelSort.sortByKey(list, key::applyAsLong)).hasMessage("no key");
    assertThat(list).isEqualTo(List.of(input));
  }

  @Test
  @SuppressWarnings("JdkObsolete") // a list without random access
  void lists_byKey_areSortedAsArraysAre() {
    Item[] items = items(Patterns.FEW_DISTINCT.longs(20_000, 9));
    Item[] expected = items.clone();
    Arrays.sort(expected, Comparator.comparingLong(Item::key));
    for (Consumer<List<Item>> sort :
        List.<Consumer<List<Item>>>of(
            list -> ParallelSort.sortByKey(list, Item::key),
            list -> ParallelSort.sortByCachedKey(list, Item::key),
            list -> ParallelSort.sortByLong(list, Item::key))) {
      for (List<Item> list :
          List.of(new ArrayList<>(List.of(items)), new LinkedList<>(List.of(items)))) {
        sort.accept(list);
        assertThat(list).isEqualTo(List.of(expected));
      }
    }
    List<Long> longs = new ArrayList<>(Arrays.stream(items).map(Item::key).toList());
    Parallel.sort(longs);
    assertThat(longs).isEqualTo(Arrays.stream(expected).map(Item::key).toList());
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
    Item[] none = {};
    List<ThrowingCallable> nulls =
        List.of(
            () -> Parallel.sort((int[]) null),
            () -> Parallel.sort((long[]) null),
            () -> Parallel.sort((double[]) null),
            () -> Parallel.sort((String[]) null),
            () -> Parallel.sort((List<String>) null),
            () -> Parallel.sort(new String[] {"a"}, null),
            () -> Parallel.sort(List.of("a"), null),
            () -> ParallelSort.sort((int[]) null, 0, 0),
            () -> ParallelSort.sortDescending((int[]) null),
            () -> ParallelSort.sortDescending((double[]) null, 0, 0),
            () -> ParallelSort.sortUnstable((String[]) null),
            () -> ParallelSort.sortUnstable(none, null),
            () -> ParallelSort.sortByKey(none, null),
            () -> ParallelSort.sortByCachedKey(none, null),
            () -> ParallelSort.sortByLong(none, null),
            () -> ParallelSort.sortByLong((Item[]) null, Item::key),
            () -> ParallelSort.argsort((int[]) null),
            () -> ParallelSort.argsort((long[]) null),
            () -> ParallelSort.argsort((double[]) null),
            () -> ParallelSort.argsort(none, null));
    for (int i = 0; i < nulls.size(); i++) {
      assertThatThrownBy(nulls.get(i)).as("%d", i).isInstanceOf(NullPointerException.class);
    }
    for (ThrowingCallable range :
        List.<ThrowingCallable>of(
            () -> ParallelSort.sort(new int[3], -1, 2),
            () -> ParallelSort.sort(new String[3], 0, 4),
            () -> ParallelSort.sortDescending(new long[3], 3, 2),
            () -> ParallelSort.sortUnstable(new String[3], 2, 4))) {
      assertThatThrownBy(range).isInstanceOf(IndexOutOfBoundsException.class);
    }
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
