package dev.blitz.parallel.internal.array;

/** Two sorted arrays of doubles, as {@link Double#compare} orders them. */
public final class TwoSortedDoubles extends TwoSorted<double[]> {
  /** Stateless. */
  public static final TwoSortedDoubles INSTANCE = new TwoSortedDoubles();

  private TwoSortedDoubles() {}

  @Override
  int length(double[] array) {
    return array.length;
  }

  @Override
  double[] newArray(int length) {
    return new double[length];
  }

  @Override
  boolean isBelow(double[] array, int index, double[] other, int otherIndex) {
    return Double.compare(array[index], other[otherIndex]) < 0;
  }

  @Override
  int walk(
      SetRule rule,
      double[] left,
      int l,
      int lEnd,
      double[] right,
      int r,
      int rEnd,
      double[] out,
      int at) {
    boolean keepsLeft = rule.left;
    boolean keepsRight = rule.right;
    boolean keepsBoth = rule.both;
    boolean pairs = rule.pairs();
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      double x = left[i];
      double y = right[j];
      int order = Double.compare(x, y);
      if (order > 0) {
        j++;
        if (keepsRight) {
          out[d++] = y;
        }
      } else {
        boolean same = order == 0;
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
