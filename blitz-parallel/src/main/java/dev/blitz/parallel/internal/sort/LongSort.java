package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * Sorts longs: by merging if there are runs, else by counting few values, else by radix, or by the
 * JDK's sort where that has been quicker.
 */
public final class LongSort {
  private static final Rivals.ByWorkers RIVALS = new Rivals.ByWorkers();

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
    if (to - from <= SortTuning.ALONE) {
      LongRadix.sort(a, from, to);
      return;
    }
    Rivals rivals = RIVALS.get(Split.workers());
    boolean byJdk = rivals.takesJdks();
    long start = System.nanoTime();
    if (byJdk) {
      Arrays.sort(a, from, to);
    } else {
      LongRadix.sort(a, from, to);
    }
    rivals.learn(byJdk, to - from, System.nanoTime() - start);
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
