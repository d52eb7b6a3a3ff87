package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class RuntimeExecutorTest {
  private final List<Throwable> told = Collections.synchronizedList(new ArrayList<>());
  private final BlitzRuntime rt =
      BlitzRuntime.builder().workers(1).uncaughtHandler((what, t) -> told.add(t)).build();
  private final ExecutorService executor = rt.executor();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Keeps the only worker busy until the latch is opened. */
  private CountDownLatch occupy() throws InterruptedException {
    var inside = new CountDownLatch(1);
    var open = new CountDownLatch(1);
    executor.execute(() -> {
      inside.countDown();
      awaitQuietly(open);
    });
    inside.await();
    return open;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean terminated() throws InterruptedException {
    return executor.awaitTermination(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  void execute_runsOnAWorker() throws Exception {
    Future<String> name = executor.submit(() -> Thread.currentThread().getName());
    assertThat(name.get()).startsWith("blitz-").contains("worker-0");
    Future<BlitzRuntime> current = executor.submit(BlitzRuntime::current);
    assertThat(current.get()).isSameAs(rt);
  }

  @Test
  void submit_carriesResultsAndFailures() throws Exception {
    assertThat(executor.submit(() -> 5).get()).isEqualTo(5);
    assertThat(executor.submit(() -> {}, "result").get()).isEqualTo("result");
    Callable<Integer> failing =
        () -> {
          throw new IOException("x");
        };
    assertThatThrownBy(executor.submit(failing)::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(told).isEmpty();
  }

  @Test
  void invokeAll_andInvokeAny() throws Exception {
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int n = i;
      calls.add(() -> n);
    }
    int sum = 0;
    for (Future<Integer> f : executor.invokeAll(calls)) {
      sum += f.get();
    }
    assertThat(sum).isEqualTo(4950);
    assertThat(executor.invokeAny(calls)).isBetween(0, 99);
  }

  @Test
  void aCommandThatThrows_reachesTheUncaughtHandler() {
    executor.execute(() -> {
      throw new IllegalStateException("command");
    });
    Await.until(() -> told.size() == 1, "the handler to be told");
    assertThat(told.getFirst()).hasMessage("command");
  }

  @Test
  void shutdown_finishesWhatIsQueued_refusesMore_andLeavesTheRuntimeRunning() throws Exception {
    CountDownLatch open = occupy();
    var ran = new AtomicInteger();
    for (int i = 0; i < 10; i++) {
      executor.execute(ran::incrementAndGet);
    }
    assertThat(executor.isShutdown()).isFalse();
    executor.shutdown();
    executor.shutdown();
    assertThat(executor.isShutdown()).isTrue();
    assertThat(executor.isTerminated()).isFalse();
    assertThat(executor.awaitTermination(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThatThrownBy(() -> executor.execute(ran::incrementAndGet))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("shut down");
    open.countDown();
    assertThat(terminated()).isTrue();
    assertThat(executor.isTerminated()).isTrue();
    assertThat(ran).hasValue(10);
    assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
    assertThat(rt.executor().submit(() -> 2).get()).as("another executor").isEqualTo(2);
  }

  @Test
  void shutdown_ofAnUnusedExecutor_terminatesAtOnce() throws Exception {
    executor.shutdown();
    assertThat(executor.isTerminated()).isTrue();
    assertThat(executor.awaitTermination(0, TimeUnit.SECONDS)).isTrue();
    executor.close();
  }

  @Test
  void shutdownNow_givesBackWhatHasNotBegun_andLetsTheRunningFinish() throws Exception {
    CountDownLatch open = occupy();
    var ran = new AtomicInteger();
    List<Runnable> commands = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Runnable command = ran::incrementAndGet;
      commands.add(command);
      executor.execute(command);
    }
    assertThat(executor.shutdownNow()).containsExactlyInAnyOrderElementsOf(commands);
    assertThat(executor.isTerminated()).isFalse();
    open.countDown();
    assertThat(terminated()).isTrue();
    assertThat(ran).hasValue(0);
    assertThat(executor.shutdownNow()).isEmpty();
  }

  @Test
  void awaitTermination_wakesWhenTheLastCommandEnds() throws Exception {
    CountDownLatch open = occupy();
    executor.shutdown();
    var terminated = new AtomicBoolean();
    var waiter =
        Thread.ofPlatform()
            .start(() -> {
              try {
                terminated.set(terminated());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Await.untilWaiting(waiter);
    open.countDown();
    waiter.join();
    assertThat(terminated).isTrue();
  }

  @Test
  void closingTheRuntime_endsTheCommands_andTheirFutures() throws Exception {
    CountDownLatch open = occupy();
    Future<Integer> queued = executor.submit(() -> 1);
    var closer = Thread.ofPlatform().start(() -> rt.close(Timeouts.MEDIUM));
    // The caller only waits for the thread that closes: what tells of the closing is a refusal.
    Await.until(this::isRefused, "the runtime to close");
    open.countDown();
    closer.join();
    executor.shutdown();
    assertThat(executor.isTerminated()).isTrue();
    assertThatThrownBy(() -> queued.get(Timeouts.SHORT.toMillis(), TimeUnit.MILLISECONDS))
        .isInstanceOf(CancellationException.class);
    assertThatThrownBy(() -> executor.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> rt.executor().execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("closed");
  }

  private boolean isRefused() {
    try {
      rt.spawn(Futures.ready(0)).detach();
      return false;
    } catch (RejectedExecutionException closing) {
      return true;
    }
  }

  @Test
  void workersThatCannotStart_leaveTheExecutorCountingRight() throws Exception {
    var broken =
        new RuntimeBuilder()
            .threadStarter(t -> {
              throw new OutOfMemoryError("no thread");
            })
            .build();
    ExecutorService refusing = broken.executor();
    assertThatThrownBy(() -> refusing.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
    refusing.shutdown();
    assertThat(refusing.isTerminated()).isTrue();
    assertThat(broken.close(Timeouts.SHORT).clean()).isTrue();
  }

  @Test
  void nullCommands_areRefused() {
    assertThatThrownBy(() -> executor.execute(nothing())).isInstanceOf(NullPointerException.class);
    executor.shutdown();
    assertThat(executor.isTerminated()).isTrue();
  }

  @SuppressWarnings("NullAway") // what a careless user does
  private static Runnable nothing() {
    return null;
  }
}
