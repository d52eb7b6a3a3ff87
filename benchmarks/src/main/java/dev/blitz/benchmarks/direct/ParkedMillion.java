package dev.blitz.benchmarks.direct;

import dev.blitz.benchmarks.harness.LiveHeap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A million threads that are parked, and what they hold. */
final class ParkedMillion {
  private static final int COUNT = 1_000_000;

  private ParkedMillion() {}

  static double direct() {
    var over = new AtomicBoolean();
    try (var runtime = DirectTasks.runtime()) {
      long bytes =
          LiveHeap.bytesOf(() -> {
            var started = new CountDownLatch(COUNT);
            for (int i = 0; i < COUNT; i++) {
              runtime.spawn(() -> park(started, over)).detach();
            }
            await(started);
            return over;
          });
      over.set(true); // the close's interrupts end the parks
      return (double) bytes / COUNT;
    }
  }

  static double plain() throws InterruptedException {
    var over = new AtomicBoolean();
    var threads = new Thread[COUNT];
    long bytes =
        LiveHeap.bytesOf(() -> {
          var started = new CountDownLatch(COUNT);
          for (int i = 0; i < COUNT; i++) {
            threads[i] = Thread.startVirtualThread(() -> park(started, over));
          }
          await(started);
          return over;
        });
    over.set(true);
    for (Thread t : threads) {
      LockSupport.unpark(t);
    }
    for (Thread t : threads) {
      t.join();
    }
    return (double) bytes / COUNT;
  }

  private static void park(CountDownLatch started, AtomicBoolean over) {
    started.countDown();
    while (!over.get()) {
      LockSupport.park(over);
    }
  }

  private static void await(CountDownLatch started) {
    try {
      started.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts", e);
    }
  }
}
