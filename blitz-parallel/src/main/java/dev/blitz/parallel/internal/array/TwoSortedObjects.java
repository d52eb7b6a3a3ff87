package dev.blitz.parallel.internal.array;

import java.util.Comparator;

/** Two sorted arrays of objects. */
public final class TwoSortedObjects extends TwoSorted<Object[]> {
  private final Comparator<Object> order;

  /** By an order. */
  public TwoSortedObjects(Comparator<Object> order) {
    this.order = order;
  }

  @Override
  int length(Object[] array) {
    return array.length;
  }

  @Override
  Object[] newArray(int length) {
    return new Object[length];
  }

  @Override
  boolean isBelow(Object[] array, int index, Object[] other, int otherIndex) {
    return order.compare(array[index], other[otherIndex]) < 0;
  }

  @Override
  int walk(
      SetRule rule,
      Object[] left,
      int l,
      int lEnd,
      Object[] right,
      int r,
      int rEnd,
      Object[] out,
      int at) {
    boolean keepsLeft = rule.left;
    boolean keepsRight = rule.right;
    boolean keepsBoth = rule.both;
    boolean pairs = rule.pairs();
    int i = l;
    int j = r;
    int d = at;
    while (i < lEnd && j < rEnd) {
      Object x = left[i];
      Object y = right[j];
      int compared = order.compare(x, y);
      if (compared > 0) {
        j++;
        if (keepsRight) {
          out[d++] = y;
        }
      } else {
        boolean same = compared == 0;
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
