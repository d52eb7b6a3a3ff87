package dev.blitz.io.internal.scheduler;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many tasks have been spawned, or ended, by threads that are no workers. Each thread counts in
 * one of a few lanes, so that threads that spawn at the same time seldom write to the same cache
 * line.
 */
final class OutsideCounts {
  /** A power of two; more would help only where more threads than this spawn at once. */
  private static final int COUNT = 8;

  /** Longs from one lane to the next: 128 bytes. */
  private static final int STRIDE = 16;

  private final AtomicLongArray counts = new AtomicLongArray((COUNT + 1) * STRIDE);

  void increment() {
    int own = (int) Thread.currentThread().threadId() & COUNT - 1;
    counts.incrementAndGet((own + 1) * STRIDE);
  }

  long sum() {
    long sum = 0;
    for (int i = 1; i <= COUNT; i++) {
      sum += counts.get(i * STRIDE);
    }
    return sum;
  }
}
