package dev.blitz.parallel.internal.sort;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Sorts by keys that are asked for once, and sorts of indices. */
public final class KeySort {
  private KeySort() {}

  /** An element and its key. */
  private record Keyed(Object element, Comparable<Object> key) implements Comparable<Keyed> {
    @Override
    public int compareTo(Keyed other) {
      return key.compareTo(other.key);
    }
  }

  /** An element and its index. */
  private record Indexed(Object element, int index) {}

  /**
   * Stable, by keys.
   *
   * @param a the array
   * @param key of an element
   */
  public static void sortByCachedKey(Object[] a, Function<Object, Comparable<Object>> key) {
    Keyed[] keyed = new Keyed[a.length];
    Split.each(
        0,
        a.length,
        SortTuning.OBJECT_RUN,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keyed[i] = new Keyed(a[i], key.apply(a[i]));
          }
        });
    ObjectSort.sort(keyed, 0, keyed.length, null);
    Object[] sorted = new Object[a.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = keyed[i].element();
    }
    // No call any more: from here on nothing can fail.
    for (int i = 0; i < sorted.length; i++) {
      a[i] = sorted[i];
    }
  }

  /**
   * Stable, by numbers.
   *
   * @param a the array
   * @param key of an element
   */
  public static void sortByLong(Object[] a, ToLongFunction<Object> key) {
    long[] keys = new long[a.length];
    Split.each(
        0,
        a.length,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keys[i] = key.applyAsLong(a[i]);
          }
        });
    int[] places = new int[a.length];
    argsort(keys, places);
    Object[] before = a.clone();
    try {
      Split.each(
          0,
          a.length,
          SortTuning.PIECE,
          (from, to) -> {
            for (int i = from; i < to; i++) {
              a[i] = before[places[i]];
            }
          });
    } catch (Throwable t) {
      // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
      for (int i = 0; i < a.length; i++) {
        a[i] = before[places[i]];
      }
      throw t;
    }
  }

  /**
   * Keys of ints: themselves.
   *
   * @param a the numbers
   * @return a key for each
   */
  public static long[] keys(int[] a) {
    long[] keys = new long[a.length];
    Split.each(
        0,
        a.length,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keys[i] = a[i];
          }
        });
    return keys;
  }

  /**
   * Keys of doubles, all NaNs alike and last.
   *
   * @param a the numbers
   * @return a key for each
   */
  public static long[] keys(double[] a) {
    long[] keys = new long[a.length];
    Split.each(
        0,
        a.length,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keys[i] = Double.isNaN(a[i]) ? Long.MAX_VALUE : DoubleSort.key(a[i]);
          }
        });
    return keys;
  }

  /**
   * The indices of numbers in the order of the numbers.
   *
   * @param keys the numbers; overwritten
   * @param places where the indices go
   */
  public static void argsort(long[] keys, int[] places) {
    int count = keys.length;
    if (count == 0) {
      return;
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    long base = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (long key : keys) {
      base = Math.min(base, key);
      max = Math.max(max, key);
    }
    // A key and its index must fit one long; else the key's rank does, being no more than an index.
    if (bits + Long.SIZE - Long.numberOfLeadingZeros(max - base) > Long.SIZE - 1) {
      rank(keys);
      base = 0;
    }
    long least = base;
    Split.each(
        0,
        count,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keys[i] = ((keys[i] - least) << bits) | i;
          }
        });
    LongSort.sort(keys, 0, count);
    long mask = (1L << bits) - 1;
    Split.each(
        0,
        count,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            places[i] = (int) (keys[i] & mask);
          }
        });
  }

  /** Replaces each number by how many are less. */
  private static void rank(long[] keys) {
    long[] sorted = keys.clone();
    LongSort.sort(sorted, 0, sorted.length);
    Split.each(
        0,
        keys.length,
        SortTuning.PIECE,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            keys[i] = firstNotBelow(sorted, keys[i]);
          }
        });
  }

  private static int firstNotBelow(long[] sorted, long key) {
    int lo = 0;
    int hi = sorted.length;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (sorted[middle] < key) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }

  /**
   * The indices of objects in their order.
   *
   * @param a the objects
   * @param order their order
   * @param places where the indices go
   */
  public static void argsort(Object[] a, Comparator<Object> order, int[] places) {
    Indexed[] indexed = new Indexed[a.length];
    for (int i = 0; i < a.length; i++) {
      indexed[i] = new Indexed(a[i], i);
    }
    Comparator<Object> byElement =
        (x, y) -> order.compare(((Indexed) x).element(), ((Indexed) y).element());
    ObjectSort.sort(indexed, 0, indexed.length, byElement);
    for (int i = 0; i < a.length; i++) {
      places[i] = indexed[i].index();
    }
  }
}
