package dev.blitz.io.internal.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.LogCapture;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
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
        Await.until(lock::hasQueuedThreads, "the virtual thread to wait");
        poll = runtime.spawn(Futures.lazy(() -> lockOnce(lock)));
        Await.until(
            () -> logs.messages().stream().anyMatch(m -> m.contains("lockOnce")),
            "the worker to be stuck in one of them");
      } finally {
        lock.unlock();
      }
      assertThat(thread.await() + poll.await()).isEqualTo(2);
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
