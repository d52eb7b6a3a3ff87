package dev.blitz.io.internal.base;

import dev.blitz.testkit.Await;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Virtual threads that keep all carriers of the JDK's scheduler but one, and a last one that is
 * after that too: a thread that leaves it does not come back before these are closed.
 */
public final class CarrierHogs implements AutoCloseable {
  /** So many looks at a thread that waits: it has had its turn on the carrier by then. */
  private static final int LOOKS = 300;

  private final AtomicBoolean hogging = new AtomicBoolean(true);
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** All but the last carrier are taken. */
  public CarrierHogs() throws InterruptedException {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    var begun = new CountDownLatch(carriers - 1);
    for (int i = 1; i < carriers; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            begun.countDown();
            hog();
          }));
    }
    begun.await();
  }

  private void hog() {
    while (hogging.get()) {
      Thread.onSpinWait();
    }
  }

  /** Runs {@code body} on the last carrier, which another thread gets if it is left. */
  public Thread startBeforeTheLast(Runnable body) {
    Thread thread =
        Thread.ofVirtual()
            .unstarted(() -> {
              threads.add(Thread.startVirtualThread(this::hog));
              body.run();
            });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Until {@code thread} is inside a method of this name, for a while. */
  public static void awaitInside(Thread thread, String method) {
    for (int i = 0; i < LOOKS; i++) {
      Await.until(
          () ->
              Arrays.stream(thread.getStackTrace()).anyMatch(f -> f.getMethodName().equals(method)),
          "the thread to be in " + method);
    }
  }

  @Override
  public void close() {
    hogging.set(false);
    for (Thread thread : threads) {
      Await.until(() -> !thread.isAlive(), "the end of a thread that had a carrier");
    }
  }
}
