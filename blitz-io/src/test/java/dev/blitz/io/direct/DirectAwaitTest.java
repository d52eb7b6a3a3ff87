package dev.blitz.io.direct;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** await() in direct tasks and elsewhere. */
@Strict
@SuppressWarnings("ThreadPriorityCheck") // the yield of a virtual thread means what it says
class DirectAwaitTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(1).name("await").build();

  @AfterEach
  void close() {
    assertThat(runtime.close(Duration.ofSeconds(10)).clean()).isTrue();
  }

  /** Always ready, and charges the budget as a channel's receive does. */
  private static final class Charging implements Future<Integer> {
    @Override
    public @Nullable Integer poll(Context cx) {
      return cx.proceed() ? 1 : null;
    }
  }

  /** Charges for itself and for what it is made of, as a buffered write that has to drain does. */
  private static final class ChargingTwice implements Future<Integer> {
    private int polls;

    @Override
    public @Nullable Integer poll(Context cx) {
      if (++polls > 100) {
        throw new IllegalStateException("the budget never comes back");
      }
      if (!cx.proceed()) {
        return null;
      }
      if (!cx.proceed()) {
        cx.refund();
        return null;
      }
      return 1;
    }
  }

  @Test
  void await_ofWhatGivesItsChargeBack_afterARefusalBelow_getsANewBudget() throws Exception {
    runtime.run(() -> {
      new Charging().await(); // so that one operation is left when it is refused
      for (int i = 0; i < 300; i++) {
        new ChargingTwice().await();
      }
    });
  }

  @Test
  void await_throwsWhatTheFutureThrows() throws Exception {
    runtime.run(() ->
        assertThatThrownBy(() -> Futures.failed(new IOException("x")).await())
            .isInstanceOf(IOException.class)
            .hasMessage("x"));
  }

  @Test
  void await_ofAStage_resumesFromAnotherThread() throws Exception {
    var stage = new CompletableFuture<String>();
    JoinHandle<String> task =
        runtime.spawn(named("waiter"), () -> Futures.from(stage).await() + "!");
    Await.until(() -> runtime.dump().size() == 1, "the task to wait");
    stage.complete("late");
    assertThat(task.await()).isEqualTo("late!");
  }

  @Test
  void dump_showsWhatADirectTaskAwaits() {
    var task = runtime.spawn(named("napper"), () -> Task.sleep(Duration.ofHours(1)).await());
    Await.until(
        () -> runtime.dump().stream().anyMatch(l -> l.contains("napper") && l.contains("timer")),
        "the dump to show the sleep");
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(java.util.concurrent.CancellationException.class);
  }

  @Test
  void dump_showsWhereADirectTaskIsParkedByTheJdk() throws Exception {
    var latch = new CountDownLatch(1);
    var task = runtime.spawn(named("latched"), () -> latch.await());
    Await.until(
        () -> runtime.dump().stream().anyMatch(l -> l.contains("latched") && l.contains("WAITING")),
        "the dump to show the wait");
    latch.countDown();
    task.await();
  }

  @Test
  void anAlwaysReadyLoop_letsOthersRun() throws Exception {
    assumeTrue(runtime.carriers().own(), "one worker is one thread only on own carriers");
    runtime.run(() -> {
      var otherRan = new AtomicBoolean();
      Task.spawn(() -> otherRan.set(true)).detach();
      int operations = 0;
      while (!otherRan.get()) {
        Futures.ready(1).await();
        operations++;
      }
      assertThat(operations).isBetween(100, 129);
      var again = new AtomicBoolean();
      Task.spawn(() -> again.set(true)).detach();
      operations = 0;
      while (!again.get()) {
        new Charging().await();
        operations++;
      }
      assertThat(operations).isBetween(100, 129);
    });
    assertThat(runtime.stats().workers().getFirst().forcedYields()).isPositive();
  }

  @Test
  void aReadyAwait_doesNotPark() throws Exception {
    assumeTrue(runtime.carriers().own(), "counts the polls of our own workers");
    long polls =
        runtime.run(() -> {
          long before = runtime.stats().polled();
          for (int i = 0; i < 100; i++) {
            Futures.ready(i).await();
          }
          return runtime.stats().polled() - before;
        });
    assertThat(polls).isZero();
  }

  @Test
  void yieldNow_goesBehindTheOthers() throws Exception {
    assumeTrue(runtime.carriers().own(), "order is promised on own carriers only");
    var order = new StringBuilder();
    runtime.run(() -> {
      var a =
          Task.spawn(() -> {
            order.append('a');
            Task.yieldNow().await();
            order.append('A');
          });
      var b =
          Task.spawn(() -> {
            order.append('b');
            Thread.yield();
            order.append('B');
          });
      a.await();
      b.await();
    });
    assertThat(order).hasToString("baBA");
  }

  @Test
  void await_insideAPollOfADirectTask_isRefused() throws Exception {
    Future<Integer> nested = Futures.lazy(() -> Futures.ready(1).await());
    assertThatThrownBy(() -> runtime.run(() -> nested.await()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside the poll");
  }

  @Test
  void await_insideAStacklessPoll_isRefused_evenWhileDirectTasksRun() {
    Future<Integer> nested = Futures.lazy(() -> Futures.ready(1).await());
    assertThatThrownBy(() -> runtime.run(() -> Task.spawn(nested).await()))
        .isInstanceOf(dev.blitz.io.task.TaskFailedException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("would block worker");
  }

  @Test
  void await_onAPlainVirtualThread_parksIt() throws Exception {
    var task = runtime.spawn(Task.sleep(Duration.ofMillis(2)).map(d -> 7));
    var seen = new AtomicInteger();
    Thread.ofVirtual().start(() -> seen.set(task.await())).join();
    assertThat(seen).hasValue(7);
  }

  @Test
  void oneTask_usesEveryWait() throws Exception {
    var lock = new Object();
    var notified = new AtomicBoolean();
    String result =
        runtime.run(() -> {
          Task.spawn(
                  () -> {
                    synchronized (lock) {
                      notified.set(true);
                      lock.notifyAll();
                    }
                  })
              .detach();
          synchronized (lock) {
            while (!notified.get()) {
              lock.wait();
            }
          }
          Thread.sleep(1);
          Task.sleep(Duration.ofMillis(1)).await();
          var semaphore = new java.util.concurrent.Semaphore(0);
          Task.spawn(() -> semaphore.release()).detach();
          semaphore.acquire();
          return Task.spawnBlocking(() -> "blocked").await();
        });
    assertThat(result).isEqualTo("blocked");
  }

  @Test
  void await_inALock_keepsIt() throws Exception {
    var lock = new java.util.concurrent.locks.ReentrantLock();
    var trace = new StringBuilder(); // guarded by the lock
    runtime.run(() -> {
      JoinHandle<Done> first;
      lock.lock();
      try {
        first =
            Task.spawn(() -> {
              lock.lock();
              try {
                trace.append('2');
              } finally {
                lock.unlock();
              }
            });
        Task.sleep(Duration.ofMillis(2)).await();
        trace.append('1');
      } finally {
        lock.unlock();
      }
      first.await();
    });
    assertThat(trace).hasToString("12");
  }

  @Test
  void aDroppedWaker_mayComeLate() throws Exception {
    var kept = new AtomicReference<dev.blitz.io.future.Waker>();
    Future<Integer> once =
        cx -> {
          boolean first = kept.getAndSet(cx.waker()) == null;
          if (first) {
            cx.waker().wake();
            return null;
          }
          return 1;
        };
    assertThat(runtime.run(() -> once.await())).isEqualTo(1);
    kept.get().wake();
    assertThat(runtime.run(() -> 2)).isEqualTo(2);
  }
}
