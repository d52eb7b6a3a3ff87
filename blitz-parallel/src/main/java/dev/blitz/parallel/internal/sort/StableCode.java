package dev.blitz.parallel.internal.sort;

import java.lang.reflect.Array;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The stable sort of objects, as a class that can be copied per comparator class. A comparator of
 * null means the elements' own order, and then the copy is per class of element.
 *
 * <p>Whatever the comparator throws or says, the array holds the same elements afterwards: nothing
 * is compared while an element is only in a local variable, and what a merge has set aside is put
 * back in a {@code finally}.
 */
abstract class StableCode {
  /** Sorts a range alone. */
  abstract void sort(Object[] a, int from, int to, @Nullable Comparator<Object> order);

  /** Merges two sorted ranges of {@code src} into {@code dst}. */
  abstract void merge(
      Object[] src,
      int left,
      int leftEnd,
      int right,
      int rightEnd,
      Object[] dst,
      int at,
      @Nullable Comparator<Object> order);

  /** The first index whose element comes after {@code key}. */
  abstract int above(Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order);

  /** The first index whose element does not come before {@code key}. */
  abstract int notBelow(
      Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order);

  /** The template. */
  static final class Loop extends StableCode {
    @Override
    void sort(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      // Powersort: a boundary between runs has a power, and those of higher power are merged first.
      int[] starts = new int[Integer.SIZE + 2];
      int[] powers = new int[Integer.SIZE + 2];
      // Made for the first merge: one run needs none.
      Object[] aside = null;
      int open = 0;
      int start = from;
      int end = runEnd(a, from, to, order);
      while (end < to) {
        int next = runEnd(a, end, to, order);
        int power = power(to - from, start - from, end - from, next - from);
        while (open > 0 && powers[open - 1] >= power) {
          open--;
          aside = aside == null ? like(a, (to - from + 1) / 2) : aside;
          mergeInPlace(a, starts[open], start, end, aside, order);
          start = starts[open];
        }
        starts[open] = start;
        powers[open++] = power;
        start = end;
        end = next;
      }
      while (open > 0) {
        open--;
        aside = aside == null ? like(a, (to - from + 1) / 2) : aside;
        mergeInPlace(a, starts[open], start, to, aside, order);
        start = starts[open];
      }
    }

    /** Of the same class as {@code a}: copies between the two need not look at each element. */
    private static Object[] like(Object[] a, int length) {
      return (Object[]) Array.newInstance(a.getClass().getComponentType(), length);
    }

    /** How often the range must be halved until a cut falls between the middles of two runs. */
    private static int power(int length, int start, int end, int next) {
      long left = (long) start + end;
      long right = (long) end + next;
      long whole = 2L * length;
      int power = 0;
      while (true) {
        power++;
        left *= 2;
        right *= 2;
        if (left >= whole) {
          left -= whole;
          right -= whole;
        } else if (right >= whole) {
          return power;
        }
      }
    }

    private static int runEnd(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      int end = from + 1;
      if (end < to) {
        if (isLess(a[end], a[from], order)) {
          do {
            end++;
          } while (end < to && isLess(a[end], a[end - 1], order));
          reverse(a, from, end);
        } else {
          do {
            end++;
          } while (end < to && !isLess(a[end], a[end - 1], order));
        }
      }
      int wanted = Math.min(to, from + SortTuning.OBJECT_RUN);
      for (; end < wanted; end++) {
        Object x = a[end];
        int place = search(a, from, end, x, order);
        System.arraycopy(a, place, a, place + 1, end - place);
        a[place] = x;
      }
      return end;
    }

    private static void reverse(Object[] a, int from, int to) {
      for (int i = from, j = to - 1; i < j; i++, j--) {
        Object x = a[i];
        a[i] = a[j];
        a[j] = x;
      }
    }

    private static void mergeInPlace(
        Object[] a,
        int from,
        int middle,
        int to,
        Object[] aside,
        @Nullable Comparator<Object> order) {
      if (!isLess(a[middle], a[middle - 1], order)) {
        return;
      }
      int lo = search(a, from, middle, a[middle], order);
      int hi = searchNotBelow(a, middle, to, a[middle - 1], order);
      if (middle - lo <= hi - middle) {
        mergeUp(a, lo, middle, hi, aside, order);
      } else {
        mergeDown(a, lo, middle, hi, aside, order);
      }
    }

    private static void mergeUp(
        Object[] a,
        int from,
        int middle,
        int to,
        Object[] aside,
        @Nullable Comparator<Object> order) {
      int count = middle - from;
      System.arraycopy(a, from, aside, 0, count);
      int i = 0;
      int j = middle;
      int d = from;
      int patience = SortTuning.GALLOP;
      // How often the right has won in a row; below 0 the left.
      int wins = 0;
      try {
        while (i < count && j < to) {
          if (isLess(a[j], aside[i], order)) {
            a[d++] = a[j++];
            wins = wins < 0 ? 1 : wins + 1;
            if (wins >= patience && j < to) {
              int end = leapNotBelow(a, j, to, aside[i], order);
              int length = end - j;
              System.arraycopy(a, j, a, d, length);
              d += length;
              j = end;
              patience = nextPatience(patience, length);
              wins = 0;
            }
          } else {
            a[d++] = aside[i++];
            wins = wins > 0 ? -1 : wins - 1;
            if (-wins >= patience && i < count) {
              int end = leapAbove(aside, i, count, a[j], order);
              int length = end - i;
              System.arraycopy(aside, i, a, d, length);
              d += length;
              i = end;
              patience = nextPatience(patience, length);
              wins = 0;
            }
          }
        }
      } finally {
        // The gap is as long as what is left aside. No call: there may be no stack for one.
        while (i < count) {
          a[d++] = aside[i++];
        }
      }
    }

    /** Less where leaps are long, more where they are not worth their comparisons. */
    private static int nextPatience(int patience, int length) {
      return length >= SortTuning.GALLOP
          ? Math.max(1, patience - 1)
          : Math.min(patience + 2, 8 * SortTuning.GALLOP);
    }

    private static void mergeDown(
        Object[] a,
        int from,
        int middle,
        int to,
        Object[] aside,
        @Nullable Comparator<Object> order) {
      int count = to - middle;
      System.arraycopy(a, middle, aside, 0, count);
      int i = middle - 1;
      int j = count - 1;
      int d = to - 1;
      int patience = SortTuning.GALLOP;
      // How often the left has won in a row; below 0 the right.
      int wins = 0;
      try {
        while (j >= 0 && i >= from) {
          if (isLess(aside[j], a[i], order)) {
            a[d--] = a[i--];
            wins = wins < 0 ? 1 : wins + 1;
            if (wins >= patience && i >= from) {
              int start = leapBackAbove(a, from, i + 1, aside[j], order);
              int length = i + 1 - start;
              System.arraycopy(a, start, a, d - length + 1, length);
              d -= length;
              i = start - 1;
              patience = nextPatience(patience, length);
              wins = 0;
            }
          } else {
            a[d--] = aside[j--];
            wins = wins > 0 ? -1 : wins - 1;
            if (-wins >= patience && j >= 0) {
              int start = leapBackNotBelow(aside, 0, j + 1, a[i], order);
              int length = j + 1 - start;
              System.arraycopy(aside, start, a, d - length + 1, length);
              d -= length;
              j = start - 1;
              patience = nextPatience(patience, length);
              wins = 0;
            }
          }
        }
      } finally {
        while (j >= 0) {
          a[d--] = aside[j--];
        }
      }
    }

    @Override
    void merge(
        Object[] src,
        int left,
        int leftEnd,
        int right,
        int rightEnd,
        Object[] dst,
        int at,
        @Nullable Comparator<Object> order) {
      int i = left;
      int j = right;
      int d = at;
      int patience = SortTuning.GALLOP;
      int wins = 0;
      while (i < leftEnd && j < rightEnd) {
        if (isLess(src[j], src[i], order)) {
          dst[d++] = src[j++];
          wins = wins < 0 ? 1 : wins + 1;
          if (wins >= patience && j < rightEnd) {
            int end = leapNotBelow(src, j, rightEnd, src[i], order);
            int length = end - j;
            System.arraycopy(src, j, dst, d, length);
            d += length;
            j = end;
            patience = nextPatience(patience, length);
            wins = 0;
          }
        } else {
          dst[d++] = src[i++];
          wins = wins > 0 ? -1 : wins - 1;
          if (-wins >= patience && i < leftEnd) {
            int end = leapAbove(src, i, leftEnd, src[j], order);
            int length = end - i;
            System.arraycopy(src, i, dst, d, length);
            d += length;
            i = end;
            patience = nextPatience(patience, length);
            wins = 0;
          }
        }
      }
      System.arraycopy(src, i, dst, d, leftEnd - i);
      System.arraycopy(src, j, dst, d + leftEnd - i, rightEnd - j);
    }

    /** {@link #notBelow}, by steps that double from the start. */
    private static int leapNotBelow(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int lo = from;
      int probe = from;
      int step = 1;
      while (probe < to && isLess(a[probe], key, order)) {
        lo = probe + 1;
        probe = step < to - probe ? probe + step : to;
        step *= 2;
      }
      return searchNotBelow(a, lo, probe, key, order);
    }

    /** {@link #above}, by steps that double from the start. */
    private static int leapAbove(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int lo = from;
      int probe = from;
      int step = 1;
      while (probe < to && !isLess(key, a[probe], order)) {
        lo = probe + 1;
        probe = step < to - probe ? probe + step : to;
        step *= 2;
      }
      return search(a, lo, probe, key, order);
    }

    /** {@link #notBelow}, by steps that double from the end. */
    private static int leapBackNotBelow(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int hi = to;
      int probe = to - 1;
      int step = 1;
      while (probe >= from && !isLess(a[probe], key, order)) {
        hi = probe;
        probe = step <= probe - from ? probe - step : from - 1;
        step *= 2;
      }
      return searchNotBelow(a, probe + 1, hi, key, order);
    }

    /** {@link #above}, by steps that double from the end. */
    private static int leapBackAbove(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int hi = to;
      int probe = to - 1;
      int step = 1;
      while (probe >= from && isLess(key, a[probe], order)) {
        hi = probe;
        probe = step <= probe - from ? probe - step : from - 1;
        step *= 2;
      }
      return search(a, probe + 1, hi, key, order);
    }

    @Override
    int above(Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      return search(a, from, to, key, order);
    }

    @Override
    int notBelow(Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      return searchNotBelow(a, from, to, key, order);
    }

    private static int search(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int lo = from;
      int hi = to;
      while (lo < hi) {
        int middle = (lo + hi) >>> 1;
        if (isLess(key, a[middle], order)) {
          hi = middle;
        } else {
          lo = middle + 1;
        }
      }
      return lo;
    }

    private static int searchNotBelow(
        Object[] a, int from, int to, Object key, @Nullable Comparator<Object> order) {
      int lo = from;
      int hi = to;
      while (lo < hi) {
        int middle = (lo + hi) >>> 1;
        if (isLess(a[middle], key, order)) {
          lo = middle + 1;
        } else {
          hi = middle;
        }
      }
      return lo;
    }

    @SuppressWarnings("unchecked") // as in the JDK: what cannot be compared says so itself
    private static boolean isLess(Object x, Object y, @Nullable Comparator<Object> order) {
      return (order == null ? ((Comparable<Object>) x).compareTo(y) : order.compare(x, y)) < 0;
    }
  }
}
