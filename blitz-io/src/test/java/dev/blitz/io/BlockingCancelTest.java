package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancellation reaches calls that an interrupt does not, and survives what such calls do. */
@Strict
class BlockingCancelTest {
  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(1)
          .blockingThreads(2)
          .uncaughtHandler((what, t) -> uncaught.add(what + ": " + t))
          .build();

  @AfterEach
  void close() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** As a JDBC driver's: deaf to interrupts, and its cancel hits whatever runs on it. */
  private static final class Statement {
    private final CountDownLatch started = new CountDownLatch(1);
    private final AtomicBoolean cancelled = new AtomicBoolean();
    final AtomicInteger cancels = new AtomicInteger();
    final AtomicBoolean sawInterrupt = new AtomicBoolean();

    String execute() throws SQLException {
      cancelled.set(false);
      started.countDown();
      while (!cancelled.get()) {
        sawInterrupt.compareAndSet(false, Thread.interrupted());
        LockSupport.parkNanos(100_000);
      }
      throw new SQLException("cancelled by the user");
    }

    void cancel() {
      cancels.incrementAndGet();
      cancelled.set(true);
    }

    void awaitStart() throws InterruptedException {
      started.await();
    }
  }

  @Test
  void onCancel_isCalledInsteadOfAnInterrupt() throws Exception {
    var statement = new Statement();
    JoinHandle<String> call =
        rt.spawnBlocking(SpawnOptions.onCancel(statement::cancel), statement::execute);
    statement.awaitStart();
    assertThat(call.cancel()).isTrue();
    assertThat(call.cancel()).isFalse();
    assertThatThrownBy(call::await).isInstanceOf(CancelledException.class);
    assertThat(statement.cancels).hasValue(1);
    assertThat(statement.sawInterrupt).isFalse();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void aTimeOut_aScopeAndAClose_reachTheCall() throws Exception {
    var slow = new Statement();
    assertThatThrownBy(() ->
            rt.run(() ->
                Task.spawnBlocking(SpawnOptions.onCancel(slow::cancel), slow::execute)
                    .timeout(Duration.ofMillis(5))
                    .await()))
        .isInstanceOf(TimedOutException.class);
    Await.until(() -> slow.cancels.get() == 1, "the cancel");

    var sibling = new Statement();
    assertThatThrownBy(() ->
            rt.run(() -> {
              try (var scope = TaskScope.open()) {
                scope.spawnBlocking(SpawnOptions.onCancel(sibling::cancel), sibling::execute);
                scope.spawn(() -> {
                  Task.blockInPlace(sibling::awaitStart);
                  throw new IOException("x");
                });
                scope.join();
              }
            }))
        .hasRootCauseMessage("x");
    assertThat(sibling.cancels).hasValue(1);

    var last = new Statement();
    JoinHandle<String> running =
        rt.spawnBlocking(SpawnOptions.onCancel(last::cancel), last::execute);
    last.awaitStart();
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(running.isDone()).isTrue();
    assertThat(last.cancels).hasValue(1);
  }

  @Test
  void theEnd_isNotSeenBeforeTheActionHasReturned() throws Exception {
    var inAction = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var called = new CountDownLatch(1);
    JoinHandle<Integer> call =
        rt.spawnBlocking(
            SpawnOptions.onCancel(() -> {
              inAction.countDown();
              goOn.await();
            }),
            () -> {
              called.countDown();
              inAction.await();
              return 7;
            });
    called.await();
    call.cancel();
    inAction.await();
    assertThat(rt.spawnBlocking(() -> 1).await()).as("others go on").isEqualTo(1);
    assertThat(call.isDone()).as("what it used may be hit by the action").isFalse();
    goOn.countDown();
    assertThat(call.await()).as("the value wins").isEqualTo(7);
  }

  @Test
  void anActionThatIsLate_hitsNobody() throws Exception {
    for (int round = 0; round < 300; round++) {
      var inUse = new AtomicBoolean();
      var hits = new AtomicInteger();
      JoinHandle<Integer> call =
          rt.spawnBlocking(
              SpawnOptions.onCancel(() -> {
                if (inUse.get()) {
                  hits.incrementAndGet();
                }
              }),
              () -> 1);
      Race.run(
          canceller -> call.cancel(),
          user -> {
            Await.until(call::isDone, "the end");
            inUse.set(true); // the next statement on the same connection
          });
      assertThat(hits).as("round " + round).hasValue(0);
    }
  }

  @Test
  void aTaskThatHasNotBegun_endsWithoutTheAction() throws Exception {
    var gate = new CountDownLatch(1);
    var full = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      rt.spawnBlocking(() -> {
        full.countDown();
        gate.await();
      });
    }
    full.await();
    var calls = new AtomicInteger();
    JoinHandle<Integer> queued =
        rt.spawnBlocking(SpawnOptions.onCancel(calls::incrementAndGet), calls::incrementAndGet);
    queued.cancel();
    assertThatThrownBy(queued::await).isInstanceOf(CancelledException.class);
    gate.countDown();
    assertThat(calls).hasValue(0);
  }

  @Test
  void callsThatFillThePool_areCancelledAllTheSame() throws Exception {
    List<JoinHandle<String>> calls = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      var statement = new Statement();
      calls.add(rt.spawnBlocking(SpawnOptions.onCancel(statement::cancel), statement::execute));
      statement.awaitStart();
    }
    calls.forEach(JoinHandle::cancel);
    for (JoinHandle<String> call : calls) {
      assertThatThrownBy(call::await).isInstanceOf(CancelledException.class);
    }
  }

  @Test
  void anActionThatThrows_isTold_andTheCallGoesOn() throws Exception {
    var started = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    JoinHandle<Integer> call =
        rt.spawnBlocking(
            SpawnOptions.onCancel(() -> {
              throw new SQLException("no connection");
            }),
            () -> {
              started.countDown();
              goOn.await();
              return 3;
            });
    started.await();
    call.cancel();
    Await.until(() -> uncaught.size() == 1, "the handler to be told");
    assertThat(uncaught.getFirst())
        .startsWith("the cancel action of task ")
        .contains("no connection");
    goOn.countDown();
    assertThat(call.await()).isEqualTo(3);
  }

  @Test
  void otherTasks_refuseIt_andCloseWhatTheyOwn() throws Exception {
    var closed = new AtomicInteger();
    SpawnOptions options =
        SpawnOptions.owning(closed::incrementAndGet).and(SpawnOptions.onCancel(() -> {}));
    assertThatThrownBy(() -> rt.spawn(options, () -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("spawnBlocking");
    assertThat(closed).hasValue(1);
    assertThatThrownBy(() -> rt.spawn(SpawnOptions.onCancel(() -> {}), Futures.ready(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SpawnOptions.onCancel(() -> {}).and(SpawnOptions.onCancel(() -> {})))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // --- What an interrupt may run into ---

  /** Its close does what it is told, on the thread that interrupts. */
  private static final class Trap extends AbstractInterruptibleChannel {
    private final Runnable atClose;
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);

    Trap(Runnable atClose) {
      this.atClose = atClose;
    }

    int read() throws IOException {
      try {
        begin();
        inside.countDown();
        while (closing.getCount() > 0) { // who leaves at once may not be waiting any more
          LockSupport.parkNanos(100_000);
        }
        return 1;
      } finally {
        end(false);
      }
    }

    @Override
    protected void implCloseChannel() {
      closing.countDown();
      atClose.run();
    }
  }

  private static int forEver(int n) {
    return n == Integer.MIN_VALUE ? n : forEver(n + 1) + 1;
  }

  @Test
  void anInterruptThatOverflowsTheStack_leavesTheThreadUsable() throws Exception {
    survives(new Trap(() -> forEver(0)), StackOverflowError.class);
  }

  @Test
  void anInterruptThatThrows_isTold_andTheOthersAreCancelled() throws Exception {
    survives(
        new Trap(() -> {
          throw new IllegalStateException("a channel's close");
        }),
        IllegalStateException.class);
  }

  /** The blocking call in the trap, and a direct task in another one, are cancelled by a scope. */
  private void survives(Trap trap, Class<? extends Throwable> thrown) throws Exception {
    var other = new CountDownLatch(1);
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        scope.spawnBlocking(trap::read);
        JoinHandle<?> sibling =
            scope.spawnBlocking(() -> {
              other.countDown();
              new CountDownLatch(1).await();
            });
        Task.blockInPlace(() -> trap.inside.await());
        Task.blockInPlace(() -> other.await());
        scope.cancel();
        assertThatThrownBy(sibling::await).isInstanceOf(CancelledException.class);
      }
    });
    assertThat(uncaught).singleElement().asString().contains(thrown.getName());
    for (int i = 0; i < 4; i++) { // on each of the two threads
      assertThat(rt.spawnBlocking(() -> Thread.currentThread().isInterrupted()).await()).isFalse();
    }
  }

  @Test
  void aDirectTaskInAChannelWhoseCloseThrows_isCancelled() throws Exception {
    var trap =
        new Trap(() -> {
          throw new IllegalStateException("a channel's close");
        });
    JoinHandle<Integer> task = rt.spawn(trap::read);
    trap.inside.await();
    assertThat(task.cancel()).isTrue();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(uncaught).singleElement().asString().contains("a channel's close");
  }
}
