package dev.blitz.parallel.internal.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.parallel.EndOfStack;
import dev.blitz.parallel.Pool;
import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sorts that meet the end of the stack in their last, deepest part, where elements are in two
 * arrays. On a plain thread, whose forks are calls: on a worker the first join would fail already.
 */
@Strict
class SortFaultsTest {
  private static final int SIZE = 100_000;
  private static final int STACK = 256 << 10;
  private static final int AROUND = 40;

  private final Random random = new Random(3);

  private static boolean hasRoom(int level, Runnable what) {
    try {
      EndOfStack.atLevel(level, what);
      return true;
    } catch (StackOverflowError full) {
      return false;
    }
  }

  /** At the deepest level that has room for the sort, and at those around it. */
  private static <A> void assertKept(
      A input, UnaryOperator<A> copy, Consumer<A> sort, Consumer<A> assertSameElements)
      throws InterruptedException {
    var failure = new Throwable[1];
    Runnable trials =
        () -> {
          sort.accept(copy.apply(input));
          int enough = 0;
          int tooDeep = STACK;
          while (tooDeep - enough > 1) {
            int level = (enough + tooDeep) >>> 1;
            A a = copy.apply(input);
            if (hasRoom(level, () -> sort.accept(a))) {
              enough = level;
            } else {
              tooDeep = level;
            }
            assertSameElements.accept(a);
          }
          for (int level = Math.max(0, enough - AROUND); level < enough + AROUND; level++) {
            A a = copy.apply(input);
            hasRoom(level, () -> sort.accept(a));
            assertSameElements.accept(a);
          }
        };
    Thread thread = new Thread(null, trials, "small stack", STACK);
    thread.setUncaughtExceptionHandler((t, thrown) -> failure[0] = thrown);
    thread.start();
    thread.join();
    assertThat(failure[0]).isNull();
  }

  private void assertLongsAreKept(Consumer<long[]> sort) throws InterruptedException {
    long[] input = random.longs(SIZE).toArray();
    long[] sorted = input.clone();
    Arrays.sort(sorted);
    assertKept(
        input,
        long[]::clone,
        sort,
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sorted)).isTrue();
        });
  }

  @Test
  void longs_byRadix_areKept() throws Exception {
    assertLongsAreKept(a -> LongRadix.sort(a, 0, SIZE));
  }

  @Test
  void longs_byTheJdk_areKept() throws Exception {
    assertLongsAreKept(a -> Arrays.sort(a, 0, SIZE));
  }

  /** The JDK's sort goes ways of its own with them. */
  private double[] withZerosAndNans(int size) {
    double[] a = random.doubles(size).toArray();
    for (int i = 0; i < size; i += 10) {
      a[i] = -0.0;
      a[i + 3] = 0.0;
      a[i + 7] = Double.longBitsToDouble(0x7ff8_0000_0000_0000L + i);
    }
    return a;
  }

  private void assertDoublesAreKept(Consumer<double[]> sort) throws InterruptedException {
    double[] input = withZerosAndNans(SIZE);
    long[] sorted = sortedBits(input);
    assertKept(
        input,
        double[]::clone,
        sort,
        a -> assertThat(Arrays.equals(sortedBits(a), sorted)).isTrue());
  }

  private static long[] sortedBits(double[] a) {
    return Arrays.stream(a).mapToLong(Double::doubleToRawLongBits).sorted().toArray();
  }

  @Test
  void doubles_byKeys_areKept() throws Exception {
    assertDoublesAreKept(a -> DoubleSort.sortByKeys(a, 0, SIZE));
  }

  @Test
  void doubles_byTheJdk_areKept() throws Exception {
    assertDoublesAreKept(a -> DoubleSort.sortByJdk(a, 0, SIZE));
  }

  /** Slices side by side, whose forks may find no room. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void byRadix_onWorkers_allAreKept(int workers) {
    long[] longs = random.longs(10_000).toArray();
    long[] sorted = Arrays.stream(longs).sorted().toArray();
    double[] doubles = withZerosAndNans(10_000);
    long[] sortedBits = sortedBits(doubles);
    try (var pool = Pool.builder().workers(workers).stackBytes(STACK).build()) {
      long[] a = longs.clone();
      EndOfStack.near(
          pool,
          () -> {
            System.arraycopy(longs, 0, a, 0, a.length);
            LongRadix.sort(a, 0, a.length);
          },
          () -> assertThat(Arrays.stream(a).sorted().toArray()).isEqualTo(sorted));
      double[] b = doubles.clone();
      EndOfStack.near(
          pool,
          () -> {
            System.arraycopy(doubles, 0, b, 0, b.length);
            DoubleSort.sortByKeys(b, 0, b.length);
          },
          () -> assertThat(sortedBits(b)).isEqualTo(sortedBits));
    }
  }

  private void assertIntsAreKept(int[] input, boolean counted) throws InterruptedException {
    int[] sorted = input.clone();
    Arrays.sort(sorted);
    assertKept(
        input,
        int[]::clone,
        a ->
            assertThat(
                    counted
                        ? IntBuckets.tryCount(a, 0, SIZE, 2)
                        : IntBuckets.trySort(a, 0, SIZE, 2))
                .isTrue(),
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sorted)).isTrue();
        });
  }

  @Test
  void ints_inBuckets_areKept() throws Exception {
    assertIntsAreKept(random.ints(SIZE).toArray(), false);
  }

  @Test
  void ints_thatAreCounted_areKept() throws Exception {
    assertIntsAreKept(random.ints(SIZE, 0, 50).toArray(), true);
  }

  private <A> void assertFewValuesAreKept(
      Numbers<A> kind, A input, UnaryOperator<A> copy, Consumer<A> assertSameElements)
      throws InterruptedException {
    assertKept(
        input,
        copy,
        a -> assertThat(FewValues.trySort(kind, a, 0, SIZE)).isTrue(),
        assertSameElements);
  }

  @Test
  void fewValues_areKept() throws Exception {
    int[] ints = random.ints(SIZE, 0, 30).map(x -> x * 1_000_003).toArray();
    int[] sortedInts = ints.clone();
    Arrays.sort(sortedInts);
    assertFewValuesAreKept(
        new IntNumbers(),
        ints,
        int[]::clone,
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sortedInts)).isTrue();
        });
    long[] longs = Arrays.stream(ints).mapToLong(x -> x * 1_000_003L).toArray();
    long[] sortedLongs = longs.clone();
    Arrays.sort(sortedLongs);
    assertFewValuesAreKept(
        new LongNumbers(),
        longs,
        long[]::clone,
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sortedLongs)).isTrue();
        });
    double[] doubles = Arrays.stream(ints).mapToDouble(x -> x / 7.0).toArray();
    double[] sortedDoubles = doubles.clone();
    Arrays.sort(sortedDoubles);
    assertFewValuesAreKept(
        new DoubleNumbers(),
        doubles,
        double[]::clone,
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sortedDoubles)).isTrue();
        });
  }
}
