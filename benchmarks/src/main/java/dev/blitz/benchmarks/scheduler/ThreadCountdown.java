package dev.blitz.benchmarks.scheduler;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Counts down; a thread waits for the last one. */
public final class ThreadCountdown {
  private final AtomicInteger left;
  private final Thread waiting = Thread.currentThread();

  ThreadCountdown(int count) {
    left = new AtomicInteger(count);
  }

  /** One less. */
  public void arrive() {
    if (left.decrementAndGet() == 0) {
      LockSupport.unpark(waiting);
    }
  }

  /** Waits; only for the thread that made it. */
  void await() {
    while (left.get() > 0) {
      LockSupport.park(this);
    }
  }
}
