package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * Sorts ints: by merging if there are runs, by counting if there are few values. Else on one worker
 * by the JDK's sort, which uses vectors; on several by buckets that the JDK sorts, or by parts that
 * it sorts and merges.
 */
public final class IntSort {
  private IntSort() {}

  /**
   * Sorts a range.
   *
   * @param a the array
   * @param from the first index
   * @param to the end
   */
  public static void sort(int[] a, int from, int to) {
    int workers = Split.workers();
    if (to - from <= SortTuning.ALONE) {
      Arrays.sort(a, from, to);
      return;
    }
    if (from > to - from && workers > 1) {
      // The buffer is indexed as the array is: not for the sake of its last few.
      int[] part = Arrays.copyOfRange(a, from, to);
      sort(part, 0, part.length);
      System.arraycopy(part, 0, a, from, part.length);
      return;
    }
    IntNumbers kind = new IntNumbers();
    int[] runs = Runs.rising(kind, a, from, to);
    if (runs != null && runs.length == 2) {
      return;
    }
    if (runs != null && from <= to - from) {
      Merges.runs(kind, a, new int[to], runs, 0, runs.length - 1);
    } else if (!IntBuckets.tryCount(a, from, to, workers)
        && !FewValues.trySort(kind, a, from, to)) {
      sortMany(a, from, to, workers);
    }
  }

  private static void sortMany(int[] a, int from, int to, int workers) {
    if (workers == 1) {
      Arrays.sort(a, from, to);
    } else if (!IntBuckets.trySort(a, from, to, workers)) {
      int depth = Integer.SIZE - Integer.numberOfLeadingZeros(workers - 1);
      while (depth > 0 && (to - from) >> depth < SortTuning.ALONE / 2) {
        depth--;
      }
      sort(a, new int[to], from, to, depth);
    }
  }

  private static void sort(int[] a, int[] buffer, int from, int to, int depth) {
    if (depth == 0) {
      Arrays.sort(a, from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    Split.join(
        () -> sort(a, buffer, from, middle, depth - 1),
        () -> sort(a, buffer, middle, to, depth - 1));
    Merges.inPlace(new IntNumbers(), a, buffer, from, middle, to);
  }

  /**
   * Turns a range round.
   *
   * @param a the array
   * @param from the first index
   * @param to the end
   */
  public static void reverse(int[] a, int from, int to) {
    Runs.reverse(new IntNumbers(), a, from, to);
  }
}
