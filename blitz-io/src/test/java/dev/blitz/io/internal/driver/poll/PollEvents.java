package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.driver.readiness.Poller;

/** What one call has found. */
final class PollEvents implements Poller.Events {
  static final int CAPACITY = 64;

  final long[] keys = new long[CAPACITY];
  final int[] bits = new int[CAPACITY];
  int count;

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
