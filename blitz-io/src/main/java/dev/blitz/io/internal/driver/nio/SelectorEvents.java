package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.readiness.EventSource;
import java.util.Arrays;

/**
 * What one worker has found. As many as a call of the selector finds: to leave some out would leave
 * out the same ones each time. Only for the worker's thread.
 */
final class SelectorEvents implements EventSource.Events {
  private static final int FIRST_ROOM = 64;

  private long[] keys = new long[FIRST_ROOM];
  private int[] bits = new int[FIRST_ROOM];
  private int count;

  /** Takes the memory for one more. */
  void reserve() {
    if (count == bits.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      bits = Arrays.copyOf(bits, 2 * count);
    }
  }

  /** After {@link #reserve}. */
  void add(long key, int found) {
    keys[count] = key;
    bits[count++] = found;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long key(int index) {
    return keys[index];
  }

  @Override
  public int bits(int index) {
    return bits[index];
  }

  @Override
  public void clear() {
    count = 0;
  }
}
