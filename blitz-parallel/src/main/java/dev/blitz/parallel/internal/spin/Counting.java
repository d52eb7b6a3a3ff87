package dev.blitz.parallel.internal.spin;

import java.util.AbstractList;
import java.util.RandomAccess;

/** The numbers from 0, as a list. */
public final class Counting extends AbstractList<Integer> implements RandomAccess {
  /** As many as a list can have. */
  public Counting() {}

  @Override
  public Integer get(int index) {
    return index;
  }

  @Override
  public int size() {
    return Integer.MAX_VALUE;
  }
}
