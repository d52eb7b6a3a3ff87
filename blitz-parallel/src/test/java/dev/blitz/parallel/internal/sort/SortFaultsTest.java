package dev.blitz.parallel.internal.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

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

  private static void atLevel(int level, Runnable what) {
    if (level > 0) {
      atLevel(level - 1, what);
    } else {
      what.run();
    }
  }

  private static boolean hasRoom(int level, Runnable what) {
    try {
      atLevel(level, what);
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

  @Test
  void longs_byRadix_areKept() throws Exception {
    long[] input = random.longs(SIZE).toArray();
    long[] sorted = input.clone();
    Arrays.sort(sorted);
    assertKept(
        input,
        long[]::clone,
        a -> LongSort.sort(a, 0, SIZE),
        a -> {
          Arrays.sort(a);
          assertThat(Arrays.equals(a, sorted)).isTrue();
        });
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
