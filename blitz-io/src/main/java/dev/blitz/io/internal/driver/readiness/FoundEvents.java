package dev.blitz.io.internal.driver.readiness;

import java.util.Arrays;

/** What one worker has found, in the order in which it was. Only for the worker's thread. */
public abstract class FoundEvents implements EventSource.Events {
  private long[] keys;
  private int[] bits;
  private int count;

  protected FoundEvents(int capacity) {
    keys = new long[capacity];
    bits = new int[capacity];
  }

  /** There is room: see {@link #isFull} and {@link #grow}. */
  public final void add(long key, int found) {
    keys[count] = key;
    bits[count++] = found;
  }

  public final boolean isFull() {
    return count == bits.length;
  }

  /** Takes the memory for twice as many. */
  protected final void grow() {
    keys = Arrays.copyOf(keys, 2 * count);
    bits = Arrays.copyOf(bits, 2 * count);
  }

  @Override
  public final int count() {
    return count;
  }

  @Override
  public final long key(int index) {
    return keys[index];
  }

  @Override
  public final int bits(int index) {
    return bits[index];
  }

  @Override
  public final void clear() {
    count = 0;
  }
}
