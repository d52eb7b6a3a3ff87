package dev.blitz.parallel.internal.sort;

import static dev.blitz.parallel.internal.sort.DoubleSort.value;

import java.util.Arrays;

/**
 * Arrays of {@code double}s, in the order of {@link Double#compare}: -0.0 before 0.0, NaNs last.
 * Merges are of such without NaNs.
 */
final class DoubleNumbers extends Numbers<double[]> {
  @Override
  boolean isBelow(double[] a, int i, double[] b, int j) {
    return isBelow(a[i], b[j]);
  }

  /** Quick for numbers; zeros and NaNs need the whole rule. */
  private static boolean isBelow(double x, double y) {
    return x < y || (!(x > y) && (x == 0 || x != y) && Double.compare(x, y) < 0);
  }

  /** What most of a rise is; no says nothing. */
  private static boolean isAboveOrSame(double x, double y) {
    return x > y || Double.doubleToRawLongBits(x) == Double.doubleToRawLongBits(y);
  }

  // Plain loops: they are quicker than ones without branches, which vectors could do.

  @Override
  int riseEnd(double[] a, int start, int to) {
    int end = start + 1;
    while (end < to && (isAboveOrSame(a[end], a[end - 1]) || !isBelow(a[end], a[end - 1]))) {
      end++;
    }
    return end;
  }

  @Override
  int fallEnd(double[] a, int start, int to) {
    int end = start + 1;
    while (end < to && isBelow(a[end], a[end - 1])) {
      end++;
    }
    return end;
  }

  @Override
  void exchange(double[] a, int i, int j, int count) {
    for (int n = 0; n < count; n++) {
      double x = a[i + n];
      a[i + n] = a[j - n];
      a[j - n] = x;
    }
  }

  @Override
  void copyBack(double[] buffer, double[] a, int from, int to) {
    try {
      Merges.copy(buffer, from, a, from, to - from);
    } catch (Throwable t) {
      for (int i = from; i < to; i++) {
        a[i] = buffer[i];
      }
      throw t;
    }
  }

  @Override
  void merge(double[] src, int l, int lEnd, int r, int rEnd, double[] dst, int at) {
    int i = l;
    int j = r;
    int d = at;
    long taken = 0;
    for (int n = Math.min(TRIED, Math.min(lEnd - l, rEnd - r)); n > 0; n--) {
      double x = src[i];
      double y = src[j];
      boolean right = DoubleSort.key(y) < DoubleSort.key(x);
      dst[d++] = right ? y : x;
      j += right ? 1 : 0;
      i += right ? 0 : 1;
      taken = taken << 1 | (right ? 1 : 0);
    }
    if (isForeseen(taken)) {
      mergeForeseen(src, i, lEnd, j, rEnd, dst, d);
    } else {
      mergeFromBothEnds(src, i, lEnd, j, rEnd, dst, d);
    }
  }

  private static void mergeForeseen(
      double[] src, int l, int lEnd, int r, int rEnd, double[] dst, int at) {
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      if (isBelow(src[j], src[i])) {
        dst[d++] = src[j++];
      } else {
        dst[d++] = src[i++];
      }
    }
    System.arraycopy(src, i, dst, d, lEnd - i);
    System.arraycopy(src, j, dst, d + lEnd - i, rEnd - j);
  }

  /**
   * From both ends at once: the next element from one end does not wait for the one before it from
   * the other. As long as both sides have enough, neither end need ask whether one is used up.
   */
  private static void mergeFromBothEnds(
      double[] src, int l, int lEnd, int r, int rEnd, double[] dst, int at) {
    int i = l;
    int j = r;
    int iLast = lEnd - 1;
    int jLast = rEnd - 1;
    int d = at;
    int dLast = at + (lEnd - l) + (rEnd - r) - 1;
    int both = Math.min(iLast - i, jLast - j) + 1;
    while (both > BOTH_ENDS) {
      for (int n = both; n > 0; n--) {
        double x = src[i];
        double y = src[j];
        boolean right = DoubleSort.key(y) < DoubleSort.key(x);
        dst[d++] = right ? y : x;
        j += right ? 1 : 0;
        i += right ? 0 : 1;
        double z = src[iLast];
        double w = src[jLast];
        boolean left = DoubleSort.key(w) < DoubleSort.key(z);
        dst[dLast--] = left ? z : w;
        iLast -= left ? 1 : 0;
        jLast -= left ? 0 : 1;
      }
      both = Math.min(iLast - i, jLast - j) + 1;
    }
    mergeForeseen(src, i, iLast + 1, j, jLast + 1, dst, d);
  }

  @Override
  long key(double[] a, int i) {
    return DoubleSort.key(a[i]);
  }

  /** NaNs with a sign come first by key, but belong to the end. */
  @Override
  boolean isOrdered(long key) {
    return key >= DoubleSort.key(Double.NEGATIVE_INFINITY);
  }

  @Override
  boolean count(double[] a, int from, int to, FewValues values) {
    for (int i = from; i < to; i++) {
      if (!values.add(DoubleSort.key(a[i]), 1)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void writeOut(double[] a, int from, long[] keys, int[] ends) {
    double[] values = new double[keys.length];
    for (int v = 0; v < keys.length; v++) {
      values[v] = value(keys[v]);
    }
    try {
      Split.each(
          from,
          ends[ends.length - 1],
          SortTuning.PIECE,
          (start, end) -> {
            int v = FewValues.firstAbove(ends, start);
            for (int i = start; i < end; v++) {
              int stop = Math.min(ends[v], end);
              Arrays.fill(a, i, stop, values[v]);
              i = stop;
            }
          });
    } catch (Throwable t) {
      // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
      for (int v = 0, i = from; v < ends.length; v++) {
        for (; i < ends[v]; i++) {
          a[i] = values[v];
        }
      }
      throw t;
    }
  }
}
