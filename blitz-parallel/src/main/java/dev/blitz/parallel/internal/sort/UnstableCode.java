package dev.blitz.parallel.internal.sort;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A pattern-defeating quicksort, as a class that can be copied per comparator class. In place, and
 * every element is in the array whenever two are compared: whatever the comparator throws or says,
 * the array holds the same elements.
 */
abstract class UnstableCode {
  /** A partition that found nothing to do, beside the index of the pivot. */
  static final long WAS_PARTITIONED = 1L << 32;

  /** Sorts a range alone; {@code bad} more partitions may be lopsided before it is a heap sort. */
  abstract void sort(
      Object[] a, int from, int to, @Nullable Comparator<Object> order, int bad, boolean leftmost);

  /**
   * Puts a pivot into its place, what comes before it to its left, all else to its right.
   *
   * @return the pivot's index, with {@link #WAS_PARTITIONED}
   */
  abstract long partition(Object[] a, int from, int to, @Nullable Comparator<Object> order);

  /**
   * For a range whose pivot is no greater than what is left of the range: moves all equal to that
   * to the front.
   *
   * @return where the rest begins; {@code from} if that is not so
   */
  abstract int skipEqual(Object[] a, int from, int to, @Nullable Comparator<Object> order);

  /** For when quicksort goes wrong. */
  abstract void heapSort(Object[] a, int from, int to, @Nullable Comparator<Object> order);

  /** The template. */
  static final class Loop extends UnstableCode {
    private static final int FEW = 24;
    private static final int MANY = 128;
    private static final int PATIENCE = 8;

    @Override
    void sort(
        Object[] a,
        int from,
        int to,
        @Nullable Comparator<Object> order,
        int bad,
        boolean leftmost) {
      int lo = from;
      int badLeft = bad;
      boolean first = leftmost;
      while (true) {
        int count = to - lo;
        if (count <= FEW) {
          insertion(a, lo, to, order);
          return;
        }
        if (!first) {
          int rest = skipEqual(a, lo, to, order);
          if (rest > lo) {
            lo = rest;
            continue;
          }
        }
        long cut = partition(a, lo, to, order);
        int pivot = (int) cut;
        if (Math.min(pivot - lo, to - pivot - 1) < count / 8) {
          if (--badLeft <= 0) {
            heapSort(a, lo, to, order);
            return;
          }
          stir(a, lo, pivot);
          stir(a, pivot + 1, to);
        } else if (cut >= WAS_PARTITIONED
            && endsSorted(a, lo, pivot, order)
            && endsSorted(a, pivot + 1, to, order)) {
          return;
        }
        sort(a, lo, pivot, order, badLeft, first);
        lo = pivot + 1;
        first = false;
      }
    }

    @Override
    long partition(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      choosePivot(a, from, to, order);
      Object pivot = a[from];
      int i = from + 1;
      int j = to - 1;
      while (i <= j && isLess(a[i], pivot, order)) {
        i++;
      }
      while (i <= j && !isLess(a[j], pivot, order)) {
        j--;
      }
      long untouched = i > j ? WAS_PARTITIONED : 0;
      while (i < j) {
        swap(a, i++, j--);
        while (i <= j && isLess(a[i], pivot, order)) {
          i++;
        }
        while (i <= j && !isLess(a[j], pivot, order)) {
          j--;
        }
      }
      swap(a, from, i - 1);
      return i - 1 | untouched;
    }

    @Override
    int skipEqual(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      choosePivot(a, from, to, order);
      if (isLess(a[from - 1], a[from], order)) {
        return from;
      }
      Object pivot = a[from];
      int i = from + 1;
      int j = to - 1;
      while (true) {
        while (i <= j && !isLess(pivot, a[i], order)) {
          i++;
        }
        while (i <= j && isLess(pivot, a[j], order)) {
          j--;
        }
        if (i >= j) {
          return i;
        }
        swap(a, i++, j--);
      }
    }

    /** A median of three, or of three such, to the front. */
    private static void choosePivot(
        Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      int middle = (from + to) >>> 1;
      if (to - from > MANY) {
        sortThree(a, from, middle, to - 1, order);
        sortThree(a, from + 1, middle - 1, to - 2, order);
        sortThree(a, from + 2, middle + 1, to - 3, order);
        sortThree(a, middle - 1, middle, middle + 1, order);
      } else {
        sortThree(a, from, middle, to - 1, order);
      }
      swap(a, from, middle);
    }

    private static void sortThree(
        Object[] a, int i, int j, int k, @Nullable Comparator<Object> order) {
      if (isLess(a[j], a[i], order)) {
        swap(a, i, j);
      }
      if (isLess(a[k], a[j], order)) {
        swap(a, j, k);
        if (isLess(a[j], a[i], order)) {
          swap(a, i, j);
        }
      }
    }

    /** Breaks up whatever pattern led to a lopsided partition. */
    private static void stir(Object[] a, int from, int to) {
      int count = to - from;
      if (count > FEW) {
        swap(a, from, from + count / 4);
        swap(a, to - 1, to - count / 4);
        swap(a, from + 1, from + count / 2 + 1);
        swap(a, to - 2, to - count / 2 - 1);
      }
    }

    private static void insertion(
        Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      for (int i = from + 1; i < to; i++) {
        for (int j = i; j > from && isLess(a[j], a[j - 1], order); j--) {
          swap(a, j, j - 1);
        }
      }
    }

    /** Insertion that gives up after a few moves. */
    private static boolean endsSorted(
        Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      int moves = 0;
      for (int i = from + 1; i < to; i++) {
        for (int j = i; j > from && isLess(a[j], a[j - 1], order); j--) {
          swap(a, j, j - 1);
          if (++moves > PATIENCE) {
            return false;
          }
        }
      }
      return true;
    }

    @Override
    void heapSort(Object[] a, int from, int to, @Nullable Comparator<Object> order) {
      int count = to - from;
      for (int i = count / 2 - 1; i >= 0; i--) {
        siftDown(a, from, i, count, order);
      }
      for (int end = count - 1; end > 0; end--) {
        swap(a, from, from + end);
        siftDown(a, from, 0, end, order);
      }
    }

    private static void siftDown(
        Object[] a, int from, int start, int count, @Nullable Comparator<Object> order) {
      int parent = start;
      while (2 * parent + 1 < count) {
        int child = 2 * parent + 1;
        if (child + 1 < count && isLess(a[from + child], a[from + child + 1], order)) {
          child++;
        }
        if (!isLess(a[from + parent], a[from + child], order)) {
          return;
        }
        swap(a, from + parent, from + child);
        parent = child;
      }
    }

    private static void swap(Object[] a, int i, int j) {
      Object x = a[i];
      a[i] = a[j];
      a[j] = x;
    }

    @SuppressWarnings("unchecked") // as in the JDK: what cannot be compared says so itself
    private static boolean isLess(Object x, Object y, @Nullable Comparator<Object> order) {
      return (order == null ? ((Comparable<Object>) x).compareTo(y) : order.compare(x, y)) < 0;
    }
  }
}
