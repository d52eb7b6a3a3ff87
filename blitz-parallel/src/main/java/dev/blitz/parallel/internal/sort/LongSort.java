package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * Sorts longs: by merging if there are runs, else by counting few values, else by radix, or by the
 * JDK's sort where that has been quicker.
 */
public final class LongSort {
  private static final Rivals.Table RIVALS = new Rivals.Table();

  private LongSort() {}

  /**
   * Sorts a range.
   *
   * @param from the first index
   * @param to the end
   */
  public static void sort(long[] a, int from, int to) {
    if (to - from <= SortTuning.RADIX) {
      Arrays.sort(a, from, to);
      return;
    }
    if (from > to - from) {
      // Buffers are indexed as the array is: not for the sake of its last few.
      long[] part = Arrays.copyOfRange(a, from, to);
      sort(part, 0, part.length);
      System.arraycopy(part, 0, a, from, part.length);
      return;
    }
    LongNumbers kind = new LongNumbers();
    int[] runs = Runs.rising(kind, a, from, to);
    if (runs == null) {
      if (!FewValues.trySort(kind, a, from, to)) {
        sortRandom(a, from, to);
      }
    } else if (runs.length > 2) {
      Merges.runs(kind, a, new long[to], runs, 0, runs.length - 1);
    }
  }

  private static void sortRandom(long[] a, int from, int to) {
    if (to - from <= SortTuning.ALONE || isNarrow(a, from, to)) {
      LongRadix.sort(a, from, to);
      return;
    }
    Rivals rivals = RIVALS.get(Split.workers(), to - from);
    boolean byJdk = rivals.takesJdks(to - from);
    long start = System.nanoTime();
    if (byJdk) {
      Arrays.sort(a, from, to);
    } else {
      LongRadix.sort(a, from, to);
    }
    rivals.learn(byJdk, to - from, System.nanoTime() - start);
  }

  /**
   * Whether the elements, as far as a few of them tell, lie so close together that a radix sort is
   * over after one look at each: then it is the quicker one, and says nothing of other input.
   */
  private static boolean isNarrow(long[] a, int from, int to) {
    long least = a[from];
    long greatest = least;
    long length = (long) to - from;
    for (int i = 1; i < SortTuning.FEW_SAMPLE; i++) {
      long x = a[(int) (from + length * i / SortTuning.FEW_SAMPLE)];
      least = Math.min(least, x);
      greatest = Math.max(greatest, x);
    }
    return (greatest - least) >>> SortTuning.RADIX_BITS == 0;
  }

  /**
   * Turns a range round.
   *
   * @param from the first index
   * @param to the end
   */
  public static void reverse(long[] a, int from, int to) {
    Runs.reverse(new LongNumbers(), a, from, to);
  }
}
