package dev.blitz.parallel.internal.spin;

import java.util.Arrays;

/** Keeps the least of many longs: a buffer that is sorted and cut whenever it is full. */
public final class LongLeast {
  private static final int FIRST_ROOM = 64;

  private final int count;
  private long[] kept;
  private int size;

  /** Once there are enough: what is not below this is not among them. */
  private long bound = Long.MAX_VALUE;

  /**
   * Keeps none yet.
   *
   * @param count how many to keep, 1 to 2^29
   */
  public LongLeast(int count) {
    this.count = count;
    this.kept = new long[Math.min(FIRST_ROOM, 2 * count)];
  }

  /**
   * Looks at another.
   *
   * @param x a number
   */
  public void add(long x) {
    if (x < bound || size < count) {
      if (size == kept.length) {
        makeRoom();
      }
      kept[size++] = x;
    }
  }

  private void makeRoom() {
    if (size >= 2 * count) {
      cut();
    } else {
      kept = Arrays.copyOf(kept, Math.min(2 * size, 2 * count));
    }
  }

  private void cut() {
    Arrays.sort(kept, 0, size);
    if (size >= count) {
      size = count;
      bound = kept[count - 1];
    }
  }

  /**
   * Looks at all that another has kept.
   *
   * @param other of the same count
   */
  public void addAll(LongLeast other) {
    for (int i = 0; i < other.size; i++) {
      add(other.kept[i]);
    }
  }

  /**
   * What was kept.
   *
   * @return in order
   */
  public long[] toArray() {
    cut();
    return Arrays.copyOf(kept, size);
  }
}
