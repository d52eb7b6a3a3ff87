package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Workers, direct tasks and outsiders at the lock of one queue. */
@Strict
class SharedLockTest {

  /** Is asked under the lock of its queue, and takes its time to answer. */
  private static final class Slow extends WaitEntry {
    final CountDownLatch asked = new CountDownLatch(1);
    final CountDownLatch answer = new CountDownLatch(1);

    private final WaitQueue queue;

    Slow(WaitQueue queue) {
      this.queue = queue;
    }

    @Override
    WaitQueue queue() {
      return queue;
    }

    @Override
    void pay() {
      throw new AssertionError("nothing is owed");
    }

    @Override
    boolean mustWait() {
      asked.countDown();
      try {
        answer.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return false;
    }

    @Override
    boolean isOpen() {
      return true;
    }

    @Override
    int available() {
      return 0;
    }
  }

  /** If it left its worker, the worker could queue behind it, and nobody would ever run it. */
  @Test
  void aDirectTaskThatWaitsForTheLock_keepsItsWorker() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).name("shared").build()) {
      Channel<Integer> channel = Channel.bounded(4);
      List<JoinHandle<Integer>> received = new ArrayList<>();
      received.add(runtime.spawn(channel.receive()));
      Await.until(() -> channel.receivers.waiting, "the first receiver to wait");
      var slow = new Slow(channel.receivers);
      var outsider = new Thread(() -> channel.receivers.enlist(slow, () -> {}, true));
      outsider.start();
      slow.asked.await();

      var thread = new CompletableFuture<Thread>();
      var sent =
          runtime.spawn(() -> {
            thread.complete(Thread.currentThread());
            return channel.trySend(1);
          });
      Thread sender = thread.get();
      Await.until(() -> isWaiting(sender), "the sender to wait for the lock");
      received.add(runtime.spawn(channel.receive()));
      received.add(runtime.spawn(channel.receive()));
      Await.until(SharedLockTest::isWorkerWaiting, "the worker to wait for the lock");

      slow.answer.countDown();
      outsider.join();
      assertThat(sent.await()).isEqualTo(SendResult.SENT);
      channel.send(2).await();
      channel.send(3).await();
      int sum = 0;
      for (var r : received) {
        sum += r.await();
      }
      assertThat(sum).isEqualTo(6);
    }
  }

  private static boolean isWaiting(Thread t) {
    return Arrays.stream(t.getStackTrace())
        .anyMatch(f -> f.getClassName().endsWith("BriefLock") && f.getMethodName().equals("lock"));
  }

  private static boolean isWorkerWaiting() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(t -> t.getName().startsWith("blitz-shared-worker") && isWaiting(t));
  }
}
