package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/** Arrays of {@code long}s. */
final class LongNumbers extends Numbers<long[]> {
  @Override
  boolean isBelow(long[] a, int i, long[] b, int j) {
    return a[i] < b[j];
  }

  // Plain loops: they are quicker than ones without branches, which vectors could do. The element
  // before is in a variable: one load less.

  @Override
  int riseEnd(long[] a, int start, int to) {
    long before = a[start];
    for (int end = start + 1; end < to; end++) {
      long x = a[end];
      if (x < before) {
        return end;
      }
      before = x;
    }
    return to;
  }

  @Override
  int fallEnd(long[] a, int start, int to) {
    long before = a[start];
    for (int end = start + 1; end < to; end++) {
      long x = a[end];
      if (x >= before) {
        return end;
      }
      before = x;
    }
    return to;
  }

  @Override
  void exchange(long[] a, int i, int j, int count) {
    for (int n = 0; n < count; n++) {
      long x = a[i + n];
      a[i + n] = a[j - n];
      a[j - n] = x;
    }
  }

  @Override
  void copyBack(long[] buffer, long[] a, int from, int to) {
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
  void merge(long[] src, int l, int lEnd, int r, int rEnd, long[] dst, int at) {
    int i = l;
    int j = r;
    int d = at;
    long taken = 0;
    for (int n = Math.min(TRIED, Math.min(lEnd - l, rEnd - r)); n > 0; n--) {
      long x = src[i];
      long y = src[j];
      boolean right = y < x;
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
      long[] src, int l, int lEnd, int r, int rEnd, long[] dst, int at) {
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      if (src[j] < src[i]) {
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
      long[] src, int l, int lEnd, int r, int rEnd, long[] dst, int at) {
    int i = l;
    int j = r;
    int iLast = lEnd - 1;
    int jLast = rEnd - 1;
    int d = at;
    int dLast = at + (lEnd - l) + (rEnd - r) - 1;
    int both = Math.min(iLast - i, jLast - j) + 1;
    while (both > BOTH_ENDS) {
      for (int n = both; n > 0; n--) {
        long x = src[i];
        long y = src[j];
        boolean right = y < x;
        dst[d++] = right ? y : x;
        j += right ? 1 : 0;
        i += right ? 0 : 1;
        long z = src[iLast];
        long w = src[jLast];
        boolean left = w < z;
        dst[dLast--] = left ? z : w;
        iLast -= left ? 1 : 0;
        jLast -= left ? 0 : 1;
      }
      both = Math.min(iLast - i, jLast - j) + 1;
    }
    mergeForeseen(src, i, iLast + 1, j, jLast + 1, dst, d);
  }

  @Override
  long key(long[] a, int i) {
    return a[i];
  }

  @Override
  boolean count(long[] a, int from, int to, FewValues values) {
    for (int i = from; i < to; i++) {
      if (!values.add(a[i], 1)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void writeOut(long[] a, int from, long[] keys, int[] ends) {
    try {
      Split.each(
          from,
          ends[ends.length - 1],
          SortTuning.PIECE,
          (start, end) -> {
            int v = FewValues.firstAbove(ends, start);
            for (int i = start; i < end; v++) {
              int stop = Math.min(ends[v], end);
              Arrays.fill(a, i, stop, keys[v]);
              i = stop;
            }
          });
    } catch (Throwable t) {
      // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
      for (int v = 0, i = from; v < ends.length; v++) {
        for (; i < ends[v]; i++) {
          a[i] = keys[v];
        }
      }
      throw t;
    }
  }
}
