package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * Sorts doubles in the order of {@link Double#compare}: -0.0 before 0.0, NaNs last. By merging if
 * there are runs, else by counting few values, else by radix, or by the JDK's sort where that has
 * been quicker; runs are looked for before any key is made.
 */
public final class DoubleSort {
  private static final Rivals.Table RIVALS = new Rivals.Table();

  private DoubleSort() {}

  /**
   * Sorts a range.
   *
   * @param from the first index
   * @param to the end
   */
  public static void sort(double[] a, int from, int to) {
    if (to - from <= SortTuning.RADIX) {
      sortByJdk(a, from, to);
      return;
    }
    DoubleNumbers kind = new DoubleNumbers();
    int[] runs = Runs.rising(kind, a, from, to);
    if (runs != null && runs.length == 2) {
      return;
    }
    // The buffer is indexed as the array is: not for the sake of its last few.
    if (runs != null && from <= to - from && !endsInNan(a, runs)) {
      Merges.runs(kind, a, new double[to], runs, 0, runs.length - 1);
      return;
    }
    if (runs == null && FewValues.trySort(kind, a, from, to)) {
      return;
    }
    if (to - from <= SortTuning.ALONE) {
      sortByKeys(a, from, to);
      return;
    }
    Rivals rivals = RIVALS.get(Split.workers(), to - from);
    boolean byJdk = rivals.takesJdks(to - from);
    long start = System.nanoTime();
    if (byJdk) {
      sortByJdk(a, from, to);
    } else {
      sortByKeys(a, from, to);
    }
    if (runs == null) {
      rivals.learn(byJdk, to - from, System.nanoTime() - start);
    }
  }

  /**
   * By the JDK's sort. That one makes every -0.0 a 0.0 before it sorts, and as many 0.0 a -0.0 when
   * all is sorted: if it fails in between, they are put back here.
   */
  static void sortByJdk(double[] a, int from, int to) {
    int lost = 0;
    for (int i = from; i < to; i++) {
      if (Double.doubleToRawLongBits(a[i]) == Long.MIN_VALUE) {
        lost++;
      }
    }
    try {
      Arrays.sort(a, from, to);
    } catch (Throwable t) {
      // By loops that need neither stack nor memory.
      for (int i = from; i < to; i++) {
        if (a[i] == 0 && 1 / a[i] < 0) {
          lost--;
        }
      }
      for (int i = from; i < to && lost > 0; i++) {
        if (a[i] == 0 && 1 / a[i] > 0) {
          a[i] = -0.0;
          lost--;
        }
      }
      throw t;
    }
  }

  static void sortByKeys(double[] a, int from, int to) {
    int end = moveNansBack(a, from, to);
    long[] keys = new long[end - from];
    Split.each(
        0,
        keys.length,
        SortTuning.PIECE,
        (start, stop) -> {
          for (int i = start; i < stop; i++) {
            keys[i] = key(a[from + i]);
          }
        });
    LongRadix.sort(keys, 0, keys.length);
    try {
      Split.each(
          0,
          keys.length,
          SortTuning.PIECE,
          (start, stop) -> {
            for (int i = start; i < stop; i++) {
              a[from + i] = value(keys[i]);
            }
          });
    } catch (Throwable t) {
      // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
      for (int i = 0; i < keys.length; i++) {
        a[from + i] = Double.longBitsToDouble(keys[i] ^ (keys[i] >> 63 & Long.MAX_VALUE));
      }
      throw t;
    }
  }

  /** Whether there is a NaN: each run has its own at its end. */
  private static boolean endsInNan(double[] a, int[] runs) {
    for (int i = 1; i < runs.length; i++) {
      if (Double.isNaN(a[runs[i] - 1])) {
        return true;
      }
    }
    return false;
  }

  /**
   * A long that has the place among longs that {@code x} has among doubles, if it is no NaN with a
   * sign.
   *
   * @param x a number
   * @return its key
   */
  public static long key(double x) {
    long bits = Double.doubleToRawLongBits(x);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  /**
   * The way back.
   *
   * @param key what {@link #key} has made
   */
  public static double value(long key) {
    return Double.longBitsToDouble(key ^ (key >> 63 & Long.MAX_VALUE));
  }

  /** NaNs keep their bits. */
  private static int moveNansBack(double[] a, int from, int to) {
    int end = to;
    for (int i = to - 1; i >= from; i--) {
      double x = a[i];
      if (Double.isNaN(x)) {
        a[i] = a[--end];
        a[end] = x;
      }
    }
    return end;
  }

  /**
   * Turns a range round.
   *
   * @param from the first index
   * @param to the end
   */
  public static void reverse(double[] a, int from, int to) {
    Runs.reverse(new DoubleNumbers(), a, from, to);
  }
}
