package dev.blitz.parallel.internal.array;

/** Two sorted arrays of ints. */
public final class TwoSortedInts extends TwoSorted<int[]> {
  /** Stateless. */
  public static final TwoSortedInts INSTANCE = new TwoSortedInts();

  private TwoSortedInts() {}

  @Override
  int length(int[] array) {
    return array.length;
  }

  @Override
  int[] newArray(int length) {
    return new int[length];
  }

  @Override
  boolean isBelow(int[] array, int index, int[] other, int otherIndex) {
    return array[index] < other[otherIndex];
  }

  @Override
  int walk(
      SetRule rule, int[] left, int l, int lEnd, int[] right, int r, int rEnd, int[] out, int at) {
    boolean keepsLeft = rule.left;
    boolean keepsRight = rule.right;
    boolean keepsBoth = rule.both;
    boolean pairs = rule.pairs();
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      int x = left[i];
      int y = right[j];
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
