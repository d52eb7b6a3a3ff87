package dev.blitz.benchmarks.scheduler;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Virtual threads that are parked until the end. */
final class IdleThreads {
  private final Thread[] threads;
  private volatile boolean ended;

  IdleThreads(int count) {
    var started = new CountDownLatch(count);
    threads = new Thread[count];
    for (int i = 0; i < count; i++) {
      threads[i] = Thread.startVirtualThread(() -> park(started));
    }
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts", e);
    }
  }

  private void park(CountDownLatch started) {
    started.countDown();
    while (!ended) {
      LockSupport.park(this);
    }
  }

  void end() {
    ended = true;
    for (var thread : threads) {
      LockSupport.unpark(thread);
    }
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody interrupts", e);
      }
    }
  }
}
