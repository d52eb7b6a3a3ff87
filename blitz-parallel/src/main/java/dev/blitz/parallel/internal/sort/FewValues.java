package dev.blitz.parallel.internal.sort;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sort of numbers among which are few values, however far apart: each is counted, then written as
 * often. One pass that reads and one that writes, where a radix sort makes three or more of both.
 *
 * <p>Values are told apart by keys of {@link Numbers#key}, in a table with open addresses.
 */
final class FewValues {
  private static final int SLOT_BITS = 10;
  private static final int MASK = (1 << SLOT_BITS) - 1;

  /** The golden ratio: neighbouring keys go far apart. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final long[] keys = new long[1 << SLOT_BITS];

  /** 0: the slot is free. */
  private final int[] counts = new int[1 << SLOT_BITS];

  private int distinct;

  private FewValues() {}

  /**
   * Sorts a range, if some elements of it say that there are few values and all others agree.
   *
   * @return false: there are too many values, and nothing has changed
   */
  static <A> boolean trySort(Numbers<A> kind, A a, int from, int to) {
    if (to - from <= SortTuning.ALONE || !looksFew(kind, a, from, to)) {
      return false;
    }
    FewValues all = counted(kind, a, from, to);
    if (all == null) {
      return false;
    }
    long[] sorted = all.sortedKeys();
    if (!kind.isOrdered(sorted[0])) {
      return false;
    }
    int[] ends = new int[sorted.length];
    int at = from;
    for (int i = 0; i < sorted.length; i++) {
      at += all.counts[all.slot(sorted[i])];
      ends[i] = at;
    }
    kind.writeOut(a, from, sorted, ends);
    return true;
  }

  private static <A> boolean looksFew(Numbers<A> kind, A a, int from, int to) {
    FewValues some = new FewValues();
    long length = (long) to - from;
    for (int i = 0; i < SortTuning.FEW_SAMPLE; i++) {
      some.add(kind.key(a, (int) (from + length * i / SortTuning.FEW_SAMPLE)), 1);
    }
    return some.distinct <= SortTuning.FEW_SAMPLE / 2;
  }

  /** Null: there are too many values. */
  private static <A> @Nullable FewValues counted(Numbers<A> kind, A a, int from, int to) {
    int workers = Split.workers();
    int slices = workers == 1 ? 1 : 2 * workers;
    long length = (long) to - from;
    @Nullable FewValues[] found = new FewValues[slices];
    Split.each(
        0,
        slices,
        1,
        (s, end) -> {
          FewValues slice = new FewValues();
          if (kind.count(
              a, (int) (from + length * s / slices), (int) (from + length * end / slices), slice)) {
            found[s] = slice;
          }
        });
    FewValues all = found[0];
    for (int s = 1; s < slices && all != null; s++) {
      FewValues slice = found[s];
      all = slice != null && all.addAll(slice) ? all : null;
    }
    return all;
  }

  private boolean addAll(FewValues other) {
    for (int slot = 0; slot <= MASK; slot++) {
      if (other.counts[slot] > 0 && !add(other.keys[slot], other.counts[slot])) {
        return false;
      }
    }
    return true;
  }

  /** Where a key is, or a free slot for it: there is always one. */
  private int slot(long key) {
    int slot = (int) ((key * SPREAD) >>> (Long.SIZE - SLOT_BITS));
    while (keys[slot] != key && counts[slot] != 0) {
      slot = (slot + 1) & MASK;
    }
    return slot;
  }

  /**
   * Counts a value.
   *
   * @return false if it is one too many, and not counted
   */
  boolean add(long key, int times) {
    int slot = slot(key);
    int before = counts[slot];
    if (before == 0) {
      if (distinct == SortTuning.FEW_VALUES) {
        return false;
      }
      distinct++;
      keys[slot] = key;
    }
    counts[slot] = before + times;
    return true;
  }

  private long[] sortedKeys() {
    long[] sorted = new long[distinct];
    int n = 0;
    for (int slot = 0; slot <= MASK; slot++) {
      if (counts[slot] > 0) {
        sorted[n++] = keys[slot];
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  /** The first of some ends that is above a place. */
  static int firstAbove(int[] ends, int place) {
    int lo = 0;
    int hi = ends.length;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (ends[middle] > place) {
        hi = middle;
      } else {
        lo = middle + 1;
      }
    }
    return lo;
  }
}
