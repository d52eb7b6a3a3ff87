package dev.blitz.io.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.LogCapture;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The lock that workers and the virtual threads they carry may share. */
@Strict
class PinnedLockTest {

  /**
   * If the virtual thread left its worker, the worker would come to wait behind it for the same
   * lock, and nobody would be left to run it.
   */
  @Test
  void aVirtualThreadThatWaits_keepsItsWorker() throws Exception {
    try (var logs = new LogCapture();
        var runtime =
            BlitzRuntime.builder().workers(1).stallThreshold(Duration.ofMillis(20)).build()) {
      assumeTrue(runtime.carriers().own(), "the JDK's carriers take none of our locks");
      var lock = new PinnedLock();
      JoinHandle<Integer> thread;
      JoinHandle<Integer> poll;
      lock.lock();
      try {
        thread = runtime.spawn(() -> lockOnce(lock));
        Await.until(
            () -> logs.messages().stream().anyMatch(m -> m.contains("lockOnce")),
            "the worker to be stuck with the virtual thread");
        poll = runtime.spawn(Futures.lazy(() -> lockOnce(lock)));
      } finally {
        lock.unlock();
      }
      assertThat(thread.await() + poll.await()).isEqualTo(2);
    }
  }

  @Test
  void tryLock_takesIt_onlyIfNobodyHasIt() throws Exception {
    var lock = new PinnedLock();
    for (boolean virtual : new boolean[] {false, true}) {
      var taken = new CopyOnWriteArrayList<Boolean>();
      Runnable tries =
          () -> {
            boolean mine = lock.tryLock();
            taken.add(mine);
            if (mine) {
              lock.unlock();
            }
          };
      assertThat(lock.tryLock()).isTrue();
      start(virtual, tries).join();
      lock.unlock();
      start(virtual, tries).join();
      assertThat(taken).containsExactly(false, true);
    }
  }

  private static Thread start(boolean virtual, Runnable body) {
    return virtual ? Thread.ofVirtual().start(body) : Thread.ofPlatform().start(body);
  }

  /**
   * A virtual thread that had a place in a queue for the lock, and no carrier, would be the next
   * for as long as its scheduler has others to run.
   */
  @Test
  void aVirtualThreadThatWaitsButCannotRun_standsBeforeNobody() throws Exception {
    assumeFalse(CarrierAccess.isOwn(), "then it is pinned, and can run");
    var lock = new PinnedLock();
    var hogging = new AtomicBoolean(true);
    List<Thread> threads = new CopyOnWriteArrayList<>();
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    var hogs = new CountDownLatch(carriers);
    var othersHogged = new CountDownLatch(carriers - 1);
    Runnable hog =
        () -> {
          hogs.countDown();
          othersHogged.countDown();
          while (hogging.get()) {
            Thread.onSpinWait();
          }
        };
    lock.lock();
    try {
      for (int i = 1; i < carriers; i++) {
        threads.add(Thread.startVirtualThread(hog));
      }
      othersHogged.await();
      threads.add(
          Thread.startVirtualThread(() -> {
            threads.add(Thread.startVirtualThread(hog)); // takes the carrier of the one that waits
            lockOnce(lock);
          }));
      hogs.await();
      var worker = new Thread(() -> lockOnce(lock));
      worker.start();
      Await.until(
          () -> worker.getState() != Thread.State.NEW && worker.getState() != Thread.State.RUNNABLE,
          "the platform thread to wait");
      lock.unlock();
      try {
        Await.until(() -> !worker.isAlive(), "the platform thread to get the free lock");
      } finally {
        lock.lock();
      }
    } finally {
      hogging.set(false);
      lock.unlock();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static int lockOnce(PinnedLock lock) {
    lock.lock();
    try {
      return 1;
    } finally {
      lock.unlock();
    }
  }
}
