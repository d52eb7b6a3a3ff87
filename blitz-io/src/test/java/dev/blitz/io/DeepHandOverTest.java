package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A worker that is to be handed over at the end of the stack: the place for it is not lost. */
@Strict
class DeepHandOverTest {
  /** Waits for {@code bridge} on the way back from the end of the stack, until that can be done. */
  private static boolean waitDeep(CompletableFuture<?> bridge, long level) throws Exception {
    try {
      if (level == Long.MAX_VALUE || waitDeep(bridge, level + 1)) {
        return true;
      }
    } catch (StackOverflowError e) {
      // The levels above have more.
    }
    return waitOnce(bridge);
  }

  private static boolean waitOnce(CompletableFuture<?> bridge) throws Exception {
    try {
      bridge.get(0, TimeUnit.NANOSECONDS);
      return false;
    } catch (TimeoutException e) {
      return true;
    }
  }

  @Test
  void anOverflow_losesNoPlaceToBlockIn() throws Exception {
    var hour = Duration.ofHours(1); // no stacks of ten thousand lines in the log
    try (var rt =
        BlitzRuntime.builder().workers(1).blockingThreads(1).stallThreshold(hour).build()) {
      var bridge = rt.spawn(Futures.<Done>pending()).toCompletableFuture();
      assertThat(rt.run(Futures.lazy(() -> waitOnce(bridge)))).as("the classes are there").isTrue();
      assertThat(rt.run(Futures.lazy(() -> waitDeep(bridge, 0)))).isTrue();
      // Its thread gives the place back a moment after its task has ended.
      Await.until(
          () -> rt.run(Futures.lazy(DeepHandOverTest::anotherRunsMeanwhile)), "a free place");
    }
  }

  /** Without a place the call would block the only worker. */
  private static boolean anotherRunsMeanwhile() throws Exception {
    var ran = new CountDownLatch(1);
    Task.spawn(
            Futures.lazy(() -> {
              ran.countDown();
              return Done.DONE;
            }))
        .detach();
    return Task.blockInPlace(() -> ran.await(50, TimeUnit.MILLISECONDS));
  }
}
