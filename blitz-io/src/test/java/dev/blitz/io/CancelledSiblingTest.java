package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A scope cancels a child that runs while its spawn has not returned. */
@Strict
class CancelledSiblingTest {
  private final CompletableFuture<BlitzRuntime> runtime = new CompletableFuture<>();
  private final CountDownLatch failing = new CountDownLatch(1);
  private final CountDownLatch fail = new CountDownLatch(1);
  private final CountDownLatch polled = new CountDownLatch(1);

  private final class Waits implements Future<Done> {
    @Override
    public @Nullable Done poll(Context cx) {
      polled.countDown();
      return null;
    }
  }

  /** The second worker is started by the spawn that this holds up. */
  private void start(Thread thread) {
    thread.start();
    if (thread.getName().endsWith("worker-1")) {
      await(polled);
      fail.countDown();
      Await.until(() -> runtime.join().stats().live() == 0, "the end of both children");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void itsHandle_hasTheReason() {
    BlitzRuntime rt = BlitzRuntime.builder().workers(2).threadStarter(this::start).build();
    runtime.complete(rt);
    try (TaskScope scope = TaskScope.open(rt)) {
      scope.spawn(
          Futures.lazy(() -> {
            failing.countDown();
            await(fail);
            throw new IOException("boom");
          }));
      await(failing); // the first worker is busy
      JoinHandle<Done> sibling = scope.spawn(new Waits());
      assertThatThrownBy(sibling::await)
          .isInstanceOf(CancelledException.class)
          .hasCauseInstanceOf(TaskFailedException.class)
          .hasRootCauseMessage("boom");
      assertThatThrownBy(scope::join).isInstanceOf(TaskFailedException.class);
    }
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }
}
