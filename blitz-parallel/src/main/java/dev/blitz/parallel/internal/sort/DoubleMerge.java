package dev.blitz.parallel.internal.sort;

import static dev.blitz.parallel.internal.sort.DoubleSort.key;

/** {@link LongMerge} for doubles without NaNs, in the order of their keys: -0.0 before 0.0. */
final class DoubleMerge {
  /** Below this the rest of a piece is merged from one end. */
  private static final int BOTH_ENDS = 8;

  private DoubleMerge() {}

  /** Makes one sorted range of two; {@code buffer} is as long as {@code a} or longer. */
  static void inPlace(double[] a, double[] buffer, int from, int middle, int to) {
    if (from == middle || middle == to || key(a[middle - 1]) <= key(a[middle])) {
      return;
    }
    // What is in place already stays there.
    int lo = above(a, from, middle, a[middle]);
    int hi = notBelow(a, middle, to, a[middle - 1]);
    if (key(a[hi - 1]) < key(a[lo])) {
      copy(a, middle, buffer, lo, hi - middle);
      copy(a, lo, buffer, lo + hi - middle, middle - lo);
    } else {
      merge(a, lo, middle, middle, hi, buffer, lo);
    }
    copyBack(buffer, a, lo, hi);
  }

  /** Whatever fails, all of it arrives: by a loop that needs neither stack nor memory. */
  static void copyBack(double[] buffer, double[] a, int from, int to) {
    try {
      copy(buffer, from, a, from, to - from);
    } catch (Throwable t) {
      for (int i = from; i < to; i++) {
        a[i] = buffer[i];
      }
      throw t;
    }
  }

  static void copy(double[] src, int from, double[] dst, int at, int count) {
    Split.each(
        0,
        count,
        4 * SortTuning.PIECE,
        (start, end) -> System.arraycopy(src, from + start, dst, at + start, end - start));
  }

  /** The longer side is halved, the other cut where the same value would be. */
  private static void merge(double[] src, int l, int lEnd, int r, int rEnd, double[] dst, int at) {
    int left = lEnd - l;
    int right = rEnd - r;
    if (left + right <= SortTuning.PIECE) {
      mergePiece(src, l, lEnd, r, rEnd, dst, at);
      return;
    }
    int lCut = left >= right ? l + left / 2 : -1;
    int rCut = lCut < 0 ? r + right / 2 : notBelow(src, r, rEnd, src[lCut]);
    int lMiddle = lCut < 0 ? above(src, l, lEnd, src[rCut]) : lCut;
    int cut = at + (lMiddle - l) + (rCut - r);
    Split.join(
        () -> merge(src, l, lMiddle, r, rCut, dst, at),
        () -> merge(src, lMiddle, lEnd, rCut, rEnd, dst, cut));
  }

  /**
   * From both ends at once: the next element from one end does not wait for the one before it from
   * the other. As long as both sides have enough, neither end need ask whether one is used up.
   */
  private static void mergePiece(
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
        boolean right = key(y) < key(x);
        dst[d++] = right ? y : x;
        j += right ? 1 : 0;
        i += right ? 0 : 1;
        double z = src[iLast];
        double w = src[jLast];
        boolean left = key(w) < key(z);
        dst[dLast--] = left ? z : w;
        iLast -= left ? 1 : 0;
        jLast -= left ? 0 : 1;
      }
      both = Math.min(iLast - i, jLast - j) + 1;
    }
    while (i <= iLast && j <= jLast) {
      double x = src[i];
      double y = src[j];
      boolean right = key(y) < key(x);
      dst[d++] = right ? y : x;
      j += right ? 1 : 0;
      i += right ? 0 : 1;
    }
    System.arraycopy(src, i, dst, d, iLast + 1 - i);
    System.arraycopy(src, j, dst, d + iLast + 1 - i, jLast + 1 - j);
  }

  /** The first index whose value is above {@code pivot}. */
  private static int above(double[] a, int from, int to, double pivot) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (key(a[middle]) <= key(pivot)) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }

  /** The first index whose value is {@code pivot} or above. */
  private static int notBelow(double[] a, int from, int to, double pivot) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (key(a[middle]) < key(pivot)) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }
}
