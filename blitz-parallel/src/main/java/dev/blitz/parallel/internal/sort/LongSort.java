package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/** Sorts longs: by merging if there are runs, else by radix. */
public final class LongSort {
  private LongSort() {}

  /**
   * Sorts a range.
   *
   * @param a the array
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
    int[] runs = LongRuns.risingRuns(a, from, to);
    if (runs == null) {
      LongRadix.sort(a, from, to);
    } else if (runs.length > 2) {
      mergeRuns(a, new long[to], runs, 0, runs.length - 1);
    }
  }

  private static void mergeRuns(long[] a, long[] buffer, int[] bounds, int first, int end) {
    if (end - first < 2) {
      return;
    }
    int middle = (first + end) >>> 1;
    Split.join(
        () -> mergeRuns(a, buffer, bounds, first, middle),
        () -> mergeRuns(a, buffer, bounds, middle, end));
    LongMerge.inPlace(a, buffer, bounds[first], bounds[middle], bounds[end]);
  }

  /**
   * Turns a range round.
   *
   * @param a the array
   * @param from the first index
   * @param to the end
   */
  public static void reverse(long[] a, int from, int to) {
    Split.each(
        0,
        (to - from) / 2,
        SortTuning.PIECE,
        (start, end) -> {
          for (int i = from + start, j = to - 1 - start; i < from + end; i++, j--) {
            long x = a[i];
            a[i] = a[j];
            a[j] = x;
          }
        });
  }
}
