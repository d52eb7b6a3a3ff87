package dev.blitz.parallel.internal.array;

import dev.blitz.parallel.internal.sort.SortTuning;
import dev.blitz.parallel.internal.sort.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Goes through two sorted arrays side by side, in parallel: both are cut before the same value, so
 * that equal elements are always in the same piece. Input that is not sorted yields something of
 * the right elements, and never fails.
 *
 * @param <A> the kind of array
 */
public abstract class TwoSorted<A> {
  /** A part of both arrays that one thread goes through. */
  private record Piece(int left, int leftEnd, int right, int rightEnd) {
    long size() {
      return (long) leftEnd - left + (rightEnd - right);
    }
  }

  /** For subclasses. */
  protected TwoSorted() {}

  abstract int length(A array);

  abstract A newArray(int length);

  /** Whether an element of one array is below one of the other, or of the same. */
  abstract boolean isBelow(A array, int index, A other, int otherIndex);

  /** Goes through a piece by a rule; returns where the result ends in {@code out}. */
  abstract int walk(SetRule rule, A left, int l, int lEnd, A right, int r, int rEnd, A out, int at);

  /**
   * The result of a rule.
   *
   * @param rule which
   * @param left sorted
   * @param right sorted in the same way
   * @return a new array
   * @throws OutOfMemoryError if the result does not fit an array
   */
  public final A run(SetRule rule, A left, A right) {
    long size = (long) length(left) + length(right);
    if (rule.mostOf(length(left), length(right)) > Integer.MAX_VALUE - 8) {
      throw new OutOfMemoryError("an array cannot hold " + size + " elements");
    }
    List<Piece> pieces = cut(left, right);
    return rule == SetRule.MERGE ? merge(left, right, pieces) : join(rule, left, right, pieces);
  }

  /** Where a piece begins in the result is known before. */
  private A merge(A left, A right, List<Piece> pieces) {
    A out = newArray(length(left) + length(right));
    Split.each(
        0,
        pieces.size(),
        1,
        (i, end) -> {
          Piece p = pieces.get(i);
          walk(
              SetRule.MERGE,
              left,
              p.left,
              p.leftEnd,
              right,
              p.right,
              p.rightEnd,
              out,
              p.left + p.right);
        });
    return out;
  }

  /** Each piece into an array of its own first. */
  private A join(SetRule rule, A left, A right, List<Piece> pieces) {
    List<A> parts = new ArrayList<>(pieces.size());
    for (int i = 0; i < pieces.size(); i++) {
      parts.add(left);
    }
    int[] ends = new int[pieces.size() + 1];
    Split.each(
        0,
        pieces.size(),
        1,
        (i, end) -> {
          Piece p = pieces.get(i);
          A out = newArray((int) rule.mostOf(p.leftEnd - p.left, p.rightEnd - p.right));
          ends[i + 1] = walk(rule, left, p.left, p.leftEnd, right, p.right, p.rightEnd, out, 0);
          parts.set(i, out);
        });
    for (int i = 0; i < pieces.size(); i++) {
      ends[i + 1] += ends[i];
    }
    A all = newArray(ends[pieces.size()]);
    Split.each(
        0,
        pieces.size(),
        1,
        (i, end) -> System.arraycopy(parts.get(i), 0, all, ends[i], ends[i + 1] - ends[i]));
    return all;
  }

  /** No recursion: of input that is not sorted any number of cuts may cut off one element each. */
  private List<Piece> cut(A left, A right) {
    List<Piece> pieces = new ArrayList<>();
    Deque<Piece> open = new ArrayDeque<>();
    open.push(new Piece(0, length(left), 0, length(right)));
    while (!open.isEmpty()) {
      Piece piece = open.pop();
      Piece first = piece.size() <= SortTuning.PIECE ? piece : firstPart(left, right, piece);
      if (first.size() == piece.size()) {
        pieces.add(piece);
      } else {
        open.push(new Piece(first.leftEnd, piece.leftEnd, first.rightEnd, piece.rightEnd));
        open.push(first);
      }
    }
    return pieces;
  }

  /** What is below the middle of the longer side; if nothing is, what is not above it. */
  private Piece firstPart(A left, A right, Piece p) {
    boolean byLeft = p.leftEnd - p.left >= p.rightEnd - p.right;
    A pivots = byLeft ? left : right;
    int pivot = byLeft ? (p.left + p.leftEnd) >>> 1 : (p.right + p.rightEnd) >>> 1;
    int leftCut = notBelow(left, p.left, p.leftEnd, pivots, pivot);
    int rightCut = notBelow(right, p.right, p.rightEnd, pivots, pivot);
    if (leftCut == p.left && rightCut == p.right) {
      leftCut = above(left, p.left, p.leftEnd, pivots, pivot);
      rightCut = above(right, p.right, p.rightEnd, pivots, pivot);
    }
    Piece first = new Piece(p.left, leftCut, p.right, rightCut);
    return first.size() == 0 ? p : first;
  }

  /** The first index whose element is not below the pivot. */
  private int notBelow(A array, int from, int to, A pivots, int pivot) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (isBelow(array, middle, pivots, pivot)) {
        lo = middle + 1;
      } else {
        hi = middle;
      }
    }
    return lo;
  }

  /** The first index whose element is above the pivot. */
  private int above(A array, int from, int to, A pivots, int pivot) {
    int lo = from;
    int hi = to;
    while (lo < hi) {
      int middle = (lo + hi) >>> 1;
      if (isBelow(pivots, pivot, array, middle)) {
        hi = middle;
      } else {
        lo = middle + 1;
      }
    }
    return lo;
  }
}
