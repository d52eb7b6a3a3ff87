package dev.blitz.benchmarks.scheduler;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts down; the last one puts into the slot. */
final class BlitzCountdown {
  private final AtomicInteger left = new AtomicInteger();
  final BlitzSlot done = new BlitzSlot();

  void set(int count) {
    left.set(count);
  }

  void arrive() {
    if (left.decrementAndGet() == 0) {
      done.put();
    }
  }
}
