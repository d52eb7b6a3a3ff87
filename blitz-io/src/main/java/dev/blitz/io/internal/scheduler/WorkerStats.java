package dev.blitz.io.internal.scheduler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of one worker: written by the worker, read by anyone. Opaque mode: each write appears in
 * time and whole, and costs what a plain one does.
 */
final class WorkerStats {
  private static final VarHandle COUNTS =
      MethodHandles.arrayElementVarHandle(long[].class).withInvokeExactBehavior();

  static final int SPAWNED = 0;
  static final int ENDED = 1;
  static final int POLLED = 2;
  static final int STOLEN = 3;
  static final int PARKED = 4;
  static final int LIFO_HITS = 5;
  static final int INJECT_FETCHES = 6;
  static final int OVERFLOWS = 7;
  static final int SPINS_PAID = 8;
  static final int SPINS_WASTED = 9;
  static final int COUNTERS = 10;

  /** Padding before and after, so that two workers' counters never share a line. */
  private static final int PAD = 16;

  private final long[] counts = new long[PAD + COUNTERS + PAD];

  /** Owner only. */
  void add(int counter, long n) {
    int at = PAD + counter;
    COUNTS.setOpaque(counts, at, counts[at] + n);
  }

  long get(int counter) {
    return (long) COUNTS.getOpaque(counts, PAD + counter);
  }

  /** After a worker's counts, those that a wait for quiescence compares. */
  long getAcquire(int counter) {
    return (long) COUNTS.getAcquire(counts, PAD + counter);
  }

  /** As {@link #add}, ordered after what the owner did before. */
  void addRelease(int counter, long n) {
    int at = PAD + counter;
    COUNTS.setRelease(counts, at, counts[at] + n);
  }
}
