package dev.blitz.parallel.internal.array;

/** Two sorted arrays of longs. */
public final class TwoSortedLongs extends TwoSorted<long[]> {
  /** Stateless. */
  public static final TwoSortedLongs INSTANCE = new TwoSortedLongs();

  private TwoSortedLongs() {}

  @Override
  int length(long[] array) {
    return array.length;
  }

  @Override
  long[] newArray(int length) {
    return new long[length];
  }

  @Override
  boolean isBelow(long[] array, int index, long[] other, int otherIndex) {
    return array[index] < other[otherIndex];
  }

  @Override
  int walk(
      SetRule rule,
      long[] left,
      int l,
      int lEnd,
      long[] right,
      int r,
      int rEnd,
      long[] out,
      int at) {
    boolean keepsLeft = rule.left;
    boolean keepsRight = rule.right;
    boolean keepsBoth = rule.both;
    boolean pairs = rule.pairs();
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      long x = left[i];
      long y = right[j];
      if (y < x) {
        j++;
        if (keepsRight) {
          out[d++] = y;
        }
      } else {
        boolean same = x == y;
        i++;
        if (same ? keepsBoth : keepsLeft) {
          out[d++] = x;
        }
        if (same && pairs) {
          j++;
        }
      }
    }
    if (keepsLeft) {
      System.arraycopy(left, i, out, d, lEnd - i);
      d += lEnd - i;
    }
    if (keepsRight) {
      System.arraycopy(right, j, out, d, rEnd - j);
      d += rEnd - j;
    }
    return d;
  }
}
