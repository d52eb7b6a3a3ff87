package dev.blitz.parallel.internal.sort;

/** Merges of sorted neighbours, cut in pieces that can be merged on their own. */
final class Merges {
  private Merges() {}

  /**
   * Merges neighbouring runs until there is one.
   *
   * @param bounds where each begins, and the end of the last
   * @param first the number of the first
   * @param end the end of their numbers
   */
  static <A> void runs(Numbers<A> kind, A a, A buffer, int[] bounds, int first, int end) {
    if (end - first < 2) {
      return;
    }
    int middle = (first + end) >>> 1;
    Split.join(
        () -> runs(kind, a, buffer, bounds, first, middle),
        () -> runs(kind, a, buffer, bounds, middle, end));
    inPlace(kind, a, buffer, bounds[first], bounds[middle], bounds[end]);
  }

  /** Makes one sorted range of two; {@code buffer} is as long as {@code a} or longer. */
  static <A> void inPlace(Numbers<A> kind, A a, A buffer, int from, int middle, int to) {
    if (from == middle || middle == to || !kind.isBelow(a, middle, a, middle - 1)) {
      return;
    }
    // What is in place already stays there.
    int lo = above(kind, a, from, middle, middle);
    int hi = notBelow(kind, a, middle, to, middle - 1);
    if (kind.isBelow(a, hi - 1, a, lo)) {
      copy(a, middle, buffer, lo, hi - middle);
      copy(a, lo, buffer, lo + hi - middle, middle - lo);
    } else {
      merge(kind, a, lo, middle, middle, hi, buffer, lo);
    }
    kind.copyBack(buffer, a, lo, hi);
  }

  static <A> void copy(A src, int from, A dst, int at, int count) {
    Split.each(
        0,
        count,
        4 * SortTuning.PIECE,
        (start, end) -> System.arraycopy(src, from + start, dst, at + start, end - start));
  }

  /** The longer side is halved, the other cut where the same value would be. */
  private static <A> void merge(
      Numbers<A> kind, A src, int l, int lEnd, int r, int rEnd, A dst, int at) {
    int left = lEnd - l;
    int right = rEnd - r;
    if (left + right <= SortTuning.PIECE) {
      kind.merge(src, l, lEnd, r, rEnd, dst, at);
      return;
    }
    int lCut = left >= right ? l + left / 2 : -1;
    int rCut = lCut < 0 ? r + right / 2 : notBelow(kind, src, r, rEnd, lCut);
    int lMiddle = lCut < 0 ? above(kind, src, l, lEnd, rCut) : lCut;
    int cut = at + (lMiddle - l) + (rCut - r);
    Split.join(
        () -> merge(kind, src, l, lMiddle, r, rCut, dst, at),
        () -> merge(kind, src, lMiddle, lEnd, rCut, rEnd, dst, cut));
  }

  /** The first index whose value is above that at {@code key}. */
  private static <A> int above(Numbers<A> kind, A a, int from, int to, int key) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (kind.isBelow(a, key, a, middle)) {
        hi = middle;
      } else {
        lo = middle + 1;
      }
    }
    return lo;
  }

  /** The first index whose value is not below that at {@code key}. */
  private static <A> int notBelow(Numbers<A> kind, A a, int from, int to, int key) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (kind.isBelow(a, middle, a, key)) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }
}
