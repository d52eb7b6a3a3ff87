package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * Sorts doubles in the order of {@link Double#compare}: -0.0 before 0.0, NaNs last. What is sorted
 * or falling already is seen before any key is made.
 */
public final class DoubleSort {
  private DoubleSort() {}

  /**
   * Sorts a range.
   *
   * @param a the array
   * @param from the first index
   * @param to the end
   */
  public static void sort(double[] a, int from, int to) {
    if (to - from <= SortTuning.RADIX) {
      Arrays.sort(a, from, to);
      return;
    }
    boolean falling = Double.compare(a[from], a[from + 1]) > 0;
    if (isRun(a, from, to, falling)) {
      if (falling) {
        reverse(a, from, to);
      }
      return;
    }
    int end = moveNansBack(a, from, to);
    int[] runs = from > to - from ? null : DoubleRuns.risingRuns(a, from, end);
    if (runs != null) {
      if (runs.length > 2) {
        mergeRuns(a, new double[end], runs, 0, runs.length - 1);
      }
      return;
    }
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

  private static void mergeRuns(double[] a, double[] buffer, int[] bounds, int first, int end) {
    if (end - first < 2) {
      return;
    }
    int middle = (first + end) >>> 1;
    Split.join(
        () -> mergeRuns(a, buffer, bounds, first, middle),
        () -> mergeRuns(a, buffer, bounds, middle, end));
    DoubleMerge.inPlace(a, buffer, bounds[first], bounds[middle], bounds[end]);
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
   * @return the number
   */
  public static double value(long key) {
    return Double.longBitsToDouble(key ^ (key >> 63 & Long.MAX_VALUE));
  }

  private static boolean isRun(double[] a, int from, int to, boolean falling) {
    // Random input is known after a few.
    int first = Math.min(to, from + SortTuning.PIECE);
    if (!isRunPiece(a, from, first, falling)) {
      return false;
    }
    boolean[] broken = new boolean[1];
    Split.each(
        first - 1,
        to,
        4 * SortTuning.PIECE,
        (start, end) -> {
          if (!isRunPiece(a, start, Math.min(end + 1, to), falling)) {
            broken[0] = true;
          }
        });
    return !broken[0];
  }

  private static boolean isRunPiece(double[] a, int from, int to, boolean falling) {
    for (int i = from + 1; i < to; i++) {
      double x = a[i - 1];
      double y = a[i];
      // Quick for numbers; zeros and NaNs need the whole rule.
      if (falling ? !(x > y) : !(x < y || (x == y && x != 0))) {
        int order = Double.compare(x, y);
        if (falling ? order <= 0 : order > 0) {
          return false;
        }
      }
    }
    return true;
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
   * @param a the array
   * @param from the first index
   * @param to the end
   */
  public static void reverse(double[] a, int from, int to) {
    Split.each(
        0,
        (to - from) / 2,
        SortTuning.PIECE,
        (start, end) -> {
          for (int i = from + start, j = to - 1 - start; i < from + end; i++, j--) {
            double x = a[i];
            a[i] = a[j];
            a[j] = x;
          }
        });
  }
}
