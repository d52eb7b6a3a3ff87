package dev.blitz.parallel.internal.sort;

/**
 * What finding and merging runs must know of arrays of one kind of number: the loops, written out
 * per kind because a loop over all kinds would be slow. {@link Runs} and {@link Merges} are the
 * rest.
 *
 * @param <A> the kind of array
 */
abstract class Numbers<A> {
  /** Below this the rest of a piece is merged from one end. */
  static final int BOTH_ENDS = 8;

  /** Steps of a merge after which it is known whether branches would be foreseen. */
  static final int TRIED = 64;

  /** Steps among them that may be unlike the one before, or the one before that. */
  private static final int UNLIKE = 8;

  /** Whether an element goes before another. */
  abstract boolean isBelow(A a, int i, A b, int j);

  /** Where the rise ends that begins at {@code start}. */
  abstract int riseEnd(A a, int start, int to);

  /** Where the fall ends, of elements each below the one before, that begins at {@code start}. */
  abstract int fallEnd(A a, int start, int to);

  /** Exchanges some elements from {@code i} up with as many from {@code j} down. */
  abstract void exchange(A a, int i, int j, int count);

  /** Merges two sorted parts into another array. */
  abstract void merge(A src, int l, int lEnd, int r, int rEnd, A dst, int at);

  /** Whatever fails, all of it arrives: by a loop that needs neither stack nor memory. */
  abstract void copyBack(A buffer, A a, int from, int to);

  /** A long that tells values apart, and has their order if {@link #isOrdered}. */
  abstract long key(A a, int i);

  /** Whether keys from this one on have the order of the values. */
  boolean isOrdered(long key) {
    return true;
  }

  /** Counts each value of a range; false: there were too many of them. */
  abstract boolean count(A a, int from, int to, FewValues values);

  /**
   * Writes each value up to its end.
   *
   * @param keys of the values, sorted
   * @param ends of the values
   */
  abstract void writeOut(A a, int from, long[] keys, int[] ends);

  /**
   * Whether a merge goes on as it did before, one side after the other or in turn: then a processor
   * foresees its branches. Otherwise it is better done without any.
   *
   * @param taken a bit per step, set if it took from the right
   */
  static boolean isForeseen(long taken) {
    int unlikeLast = Long.bitCount(taken ^ taken << 1);
    int unlikeLastButOne = Long.bitCount(taken ^ taken << 2);
    return Math.min(unlikeLast, unlikeLastButOne) <= UNLIKE;
  }
}
