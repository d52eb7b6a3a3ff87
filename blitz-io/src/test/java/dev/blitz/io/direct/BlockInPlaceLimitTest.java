package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** No more calls block in place at once than the builder allows threads. */
@Strict
class BlockInPlaceLimitTest {

  private static BlitzRuntime runtime(int limit) {
    var rt = BlitzRuntime.builder().workers(2).blockingThreads(limit).build();
    if (!rt.carriers().own()) {
      rt.close();
    }
    assumeTrue(rt.carriers().own(), "nothing is handed over");
    return rt;
  }

  private static long threads(BlitzRuntime rt) {
    String prefix = "blitz-" + rt.name() + "-worker";
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith(prefix))
        .count();
  }

  @Test
  void manyDirectTasks_takeTurns_onFewThreads() throws Exception {
    int limit = 3;
    var rt = runtime(limit);
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var release = new Semaphore(0);
    List<JoinHandle<?>> tasks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      tasks.add(
          rt.spawn(() ->
              Task.blockInPlace(() -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                release.acquire();
                inside.decrementAndGet();
              })));
    }
    Await.until(() -> inside.get() == limit, "the first calls");
    // The workers are free all the time.
    assertThat(
            rt.spawn(() -> 5)
                .toCompletableFuture()
                .get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS))
        .isEqualTo(5);
    assertThat(threads(rt)).isLessThanOrEqualTo(2 + limit);
    release.release(1_000);
    for (JoinHandle<?> t : tasks) {
      t.await();
    }
    assertThat(most.get()).isLessThanOrEqualTo(limit);
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @Test
  void whoWaitsForItsTurn_canBeCancelled() throws Exception {
    var rt = runtime(1);
    var inside = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var first =
        rt.spawn(() ->
            Task.blockInPlace(() -> {
              inside.countDown();
              release.await();
            }));
    inside.await();
    var thrown = new LinkedBlockingQueue<Object>();
    var second =
        rt.spawn(() -> {
          try {
            Task.blockInPlace(() -> {});
          } catch (Throwable t) { // a call that declares nothing throws nothing checked
            thrown.add(t.getClass());
            thrown.add(Thread.currentThread().isInterrupted());
            throw t;
          }
        });
    Await.until(
        () -> rt.dump().stream().anyMatch(line -> line.contains("WAITING")), "the second to wait");
    second.cancel();
    assertThatThrownBy(second::await).isInstanceOf(CancelledException.class);
    assertThat(thrown).containsExactly(CancelledException.class, true);
    release.countDown();
    first.await();
    rt.spawn(() -> Task.blockInPlace(() -> {})).await(); // its place has not been lost
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @Test
  void nested_needsOnePlace() throws Exception {
    var rt = runtime(1);
    int result =
        rt.run(() ->
            Task.<Integer, RuntimeException>blockInPlace(
                () -> Task.<Integer, RuntimeException>blockInPlace(() -> 5)));
    assertThat(result).isEqualTo(5);
    var seen = new AtomicInteger();
    rt.run(() ->
        Thread.startVirtualThread(
                () -> {
                  try {
                    seen.set(
                        Task.<Integer, RuntimeException>blockInPlace(
                            () -> Task.<Integer, RuntimeException>blockInPlace(() -> 6)));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                })
            .join());
    assertThat(seen).hasValue(6);
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** It cannot wait for its turn: it blocks its worker, and the others go on. */
  @Test
  void inAPoll_atTheLimit_justCalls() throws Exception {
    var rt = runtime(1);
    var inside = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var first =
        rt.spawn(() ->
            Task.blockInPlace(() -> {
              inside.countDown();
              release.await();
            }));
    inside.await();
    assertThat(rt.run(Futures.lazy(() -> Task.<Integer, RuntimeException>blockInPlace(() -> 7))))
        .isEqualTo(7);
    release.countDown();
    first.await();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  @Test
  void aCloseThatGivesUp_leavesNobodyWaitingForItsTurn() throws Exception {
    var rt = runtime(1);
    var inside = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var second = new CountDownLatch(1);
    rt.spawn(() ->
            Task.shielded(() ->
                Task.blockInPlace(() -> {
                  inside.countDown();
                  release.await();
                })))
        .detach();
    inside.await();
    rt.spawn(() -> Task.shielded(() -> Task.blockInPlace(second::countDown))).detach();
    Await.until(
        () -> rt.dump().stream().anyMatch(line -> line.contains("WAITING")), "the second to wait");
    assertThat(rt.close(Duration.ofMillis(50)).clean()).isFalse();
    assertThat(second.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    release.countDown();
  }
}
