package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.policy.UncaughtHandler;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.DelayQueue;
import dev.blitz.io.time.RateLimiter;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A thread cannot be started: the user's handler hears of it outside all locks of ours. */
@Strict
class FailedStartTest {

  private static Consumer<Thread> refusing(Predicate<String> name) {
    return t -> {
      if (name.test(t.getName())) {
        throw new OutOfMemoryError("unable to create native thread: " + t.getName());
      }
      t.start();
    };
  }

  /** Whether another thread gets through {@code action} while the handler runs. */
  private static UncaughtHandler handler(
      CompletableFuture<BlitzRuntime> rt,
      Consumer<BlitzRuntime> action,
      CompletableFuture<Boolean> passed) {
    return (what, failure) -> {
      var through = new CountDownLatch(1);
      Thread other =
          new Thread(() -> {
            action.accept(rt.join());
            through.countDown();
          });
      other.setDaemon(true);
      other.start();
      try {
        through.await(); // for ever, with a lock of ours held
        passed.complete(true);
      } catch (InterruptedException e) {
        passed.completeExceptionally(e);
      }
    };
  }

  @Test
  void ofTheBlockingPool_theHandlerIsCalledWithoutItsLock() throws Exception {
    var rt = new CompletableFuture<BlitzRuntime>();
    var passed = new CompletableFuture<Boolean>();
    var runtime =
        BlitzRuntime.builder()
            .workers(1)
            .threadStarter(refusing(name -> name.endsWith("blocking-1")))
            .uncaughtHandler(handler(rt, r -> r.spawnBlocking(() -> Done.DONE).detach(), passed))
            .build();
    rt.complete(runtime);
    var release = new CountDownLatch(1);
    runtime
        .spawnBlocking(() -> {
          release.await();
          return Done.DONE;
        })
        .detach();
    runtime.spawnBlocking(() -> Done.DONE).detach();
    assertThat(passed.get()).isTrue();
    release.countDown();
    assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @Test
  void ofAHandOver_theHandlerIsCalledWithoutTheirLock() throws Exception {
    var rt = new CompletableFuture<BlitzRuntime>();
    var passed = new CompletableFuture<Boolean>();
    var runtime =
        BlitzRuntime.builder()
            .workers(2)
            .threadStarter(refusing(name -> name.contains("spare")))
            .uncaughtHandler(handler(rt, r -> r.spawn(Futures.lazy(() -> 1)).detach(), passed))
            .build();
    rt.complete(runtime);
    runtime.run(
        Futures.lazy(() -> {
          Task.blockInPlace(() -> {});
          return 1;
        }));
    assertThat(passed.get()).isTrue();
    assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** One that is to turn the timers: who would have waited has left its place in the queue. */
  @Test
  void ofTheOnlyWorker_whoWantedToWaitForATimer_waitsNoMore() throws Exception {
    var runtime =
        BlitzRuntime.builder()
            .workers(1)
            .threadStarter(refusing(name -> name.contains("worker")))
            .build();
    var hour = Duration.ofHours(1);
    var limiter = runtime.spawnBlocking(() -> RateLimiter.create(2, hour, 2)).await();
    assertThat(limiter.tryAcquire()).isTrue();
    var both = limiter.acquire(2);
    assertThatThrownBy(() -> both.poll(Context.of(() -> {})))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(limiter.available()).as("nobody waits").isEqualTo(1);
    var queue = runtime.spawnBlocking(() -> DelayQueue.<Integer>create()).await();
    queue.insert(1, hour);
    var next = queue.next();
    assertThatThrownBy(() -> next.poll(Context.of(() -> {})))
        .isInstanceOf(RejectedExecutionException.class);
    queue.insert(2, Duration.ZERO);
    assertThat(queue.tryNext()).as("nobody was promised it").isEqualTo(2);
    assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
  }
}
