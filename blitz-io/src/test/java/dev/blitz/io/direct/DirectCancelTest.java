package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancelling direct tasks: interrupts, stickiness, shields. */
@Strict
class DirectCancelTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).name("cancel").build();
  private final List<String> trace = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(1);

  @AfterEach
  void close() {
    assertThat(runtime.close(Duration.ofSeconds(10)).clean()).isTrue();
  }

  private void cancelOnceBegun(JoinHandle<?> task) throws Exception {
    begun.await();
    assertThat(task.cancel()).isTrue();
    assertThat(task.cancel()).as("a second time").isFalse();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void await_throwsCancelled_keepsTheInterrupt_andDropsTheFuture() throws Exception {
    var dropped = new AtomicBoolean();
    var task =
        runtime.spawn(() -> {
          try {
            begun.countDown();
            Futures.pending().whenDone(() -> dropped.set(true)).await();
          } catch (CancelledException e) {
            trace.add("cancelled, interrupted " + Thread.currentThread().isInterrupted());
            throw e;
          }
        });
    cancelOnceBegun(task);
    assertThat(trace).containsExactly("cancelled, interrupted true");
    assertThat(dropped).isTrue();
    assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void cancellation_isSticky_evenIfTheInterruptIsSwallowed() throws Exception {
    var droppedUnpolled = new AtomicBoolean();
    var task =
        runtime.spawn(() -> {
          begun.countDown();
          try {
            Thread.sleep(LONG);
          } catch (InterruptedException e) {
            trace.add("sleep, interrupted " + Thread.currentThread().isInterrupted());
          }
          for (int i = 0; i < 2; i++) {
            Future<Integer> ready = Futures.ready(1);
            try {
              ready.whenDone(() -> droppedUnpolled.set(true)).await();
              trace.add("not reached");
            } catch (CancelledException e) {
              trace.add("await, interrupted " + Thread.interrupted());
            }
          }
          throw new IllegalStateException("wrapped", new InterruptedException());
        });
    cancelOnceBegun(task);
    assertThat(trace)
        .containsExactly(
            "sleep, interrupted false", "await, interrupted true", "await, interrupted true");
    assertThat(droppedUnpolled).isTrue();
  }

  @Test
  void aValueWins_andAnotherFailureIsNotHidden() throws Exception {
    JoinHandle<String> value =
        runtime.spawn(() -> {
          begun.countDown();
          try {
            Thread.sleep(LONG);
          } catch (InterruptedException e) {
            // ends with a value all the same
          }
          return "value";
        });
    begun.await();
    value.cancel();
    assertThat(value.await()).isEqualTo("value");

    var again = new CountDownLatch(1);
    JoinHandle<String> failure =
        runtime.spawn(() -> {
          again.countDown();
          try {
            Thread.sleep(LONG);
          } catch (InterruptedException e) {
            // what follows is a bug of the clean-up
          }
          throw new ArithmeticException("bug");
        });
    again.await();
    failure.cancel();
    assertThatThrownBy(failure::await).hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void beforeItBegins_theBodyNeverRuns() throws Exception {
    var ran = new AtomicBoolean();
    try (var single = BlitzRuntime.builder().workers(1).build()) {
      var release = new CountDownLatch(1);
      var hog =
          single.spawn(
              Futures.lazy(() -> {
                begun.countDown();
                release.await();
                return 1;
              }));
      begun.await();
      var task = single.spawn(() -> ran.set(true));
      task.cancel();
      release.countDown();
      hog.await();
      assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    }
    assertThat(ran).isFalse();
  }

  @Test
  void shield_keepsCancellationAway_andItTakesEffectAfterwards() throws Exception {
    var inside = new CountDownLatch(1);
    var cancelled = new CountDownLatch(1);
    var task =
        runtime.spawn(() -> {
          Task.shielded(() -> {
            inside.countDown();
            cancelled.await();
            trace.add("inside, interrupted " + Thread.currentThread().isInterrupted());
            Task.sleep(Duration.ofMillis(1)).await();
            Task.shielded(() -> Task.sleep(Duration.ofMillis(1)).await());
            Task.sleep(Duration.ofMillis(1)).await();
            trace.add("slept");
          });
          trace.add("after, interrupted " + Thread.currentThread().isInterrupted());
          Task.sleep(LONG).await();
        });
    inside.await();
    task.cancel();
    cancelled.countDown();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(trace)
        .containsExactly("inside, interrupted false", "slept", "after, interrupted true");
  }

  @Test
  void shield_enteredAfterTheCancellation_hidesTheInterrupt() throws Exception {
    var task =
        runtime.spawn(() -> {
          try {
            begun.countDown();
            Task.sleep(LONG).await();
          } finally {
            Task.shielded(() -> {
              trace.add("interrupted " + Thread.currentThread().isInterrupted());
              Task.sleep(Duration.ofMillis(1)).await();
              Thread.sleep(1);
              trace.add("cleaned up");
            });
            trace.add("interrupted " + Thread.currentThread().isInterrupted());
          }
        });
    cancelOnceBegun(task);
    assertThat(trace).containsExactly("interrupted false", "cleaned up", "interrupted true");
  }

  @Test
  void shieldedFuture_worksInDirectStyleToo() throws Exception {
    var task =
        runtime.spawn(() -> {
          Task.shielded(
                  Futures.lazy(
                          () -> {
                            begun.countDown();
                            return 1;
                          })
                      .andThen(x -> Task.sleep(Duration.ofMillis(30))))
              .await();
          trace.add("shielded part done");
          Task.sleep(LONG).await();
        });
    cancelOnceBegun(task);
    assertThat(trace).containsExactly("shielded part done");
  }

  @Test
  void shield_whoseBodyThrows_isLowered() throws Exception {
    var task =
        runtime.spawn(() -> {
          for (int i = 0; i < 1_000; i++) {
            try {
              Task.shielded(() -> {
                throw new java.io.IOException("x");
              });
            } catch (java.io.IOException e) {
              // as expected
            }
          }
          begun.countDown();
          Task.sleep(LONG).await();
        });
    cancelOnceBegun(task);
  }

  @Test
  void shielded_outsideADirectTask_justCalls() throws Exception {
    assertThat(Task.<Integer>shielded(() -> 3)).isEqualTo(3);
  }

  @Test
  void noInterruptReachesALaterTaskOnTheSameCarrier() throws Exception {
    try (var single = BlitzRuntime.builder().workers(1).build()) {
      for (int i = 0; i < 300; i++) {
        var go = new CountDownLatch(1);
        JoinHandle<Object> victim =
            single.spawn(() -> {
              go.countDown();
              Futures.pending().await();
              return 1;
            });
        go.await();
        victim.cancel();
        boolean interrupted = single.run(() -> Thread.currentThread().isInterrupted());
        assertThat(interrupted).isFalse();
        boolean workerInterrupted =
            single.run(Futures.lazy(() -> Thread.currentThread().isInterrupted()));
        assertThat(workerInterrupted).isFalse();
      }
    }
  }

  @Test
  void aStrangersInterrupt_endsAnAwait_withoutCancellingTheTask() throws Exception {
    var self = new java.util.concurrent.CompletableFuture<Thread>();
    JoinHandle<String> task =
        runtime.spawn(() -> {
          self.complete(Thread.currentThread());
          try {
            Task.sleep(LONG).await();
            return "slept";
          } catch (CancelledException e) {
            assertThat(Thread.interrupted()).isTrue();
            Task.sleep(Duration.ofMillis(1)).await();
            return "went on";
          }
        });
    Thread thread = self.get();
    Await.until(() -> runtime.dump().size() == 1, "the task to wait");
    thread.interrupt();
    assertThat(task.await()).isEqualTo("went on");
  }

  @Test
  void aLoopOverABusyChannel_isCancelled() throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      dev.blitz.io.channel.Channel<Integer> channel = dev.blitz.io.channel.Channel.unbounded();
      channel.trySend(1);
      var begun = new CountDownLatch(1);
      var task =
          runtime.spawn(() -> {
            for (int message : channel.receiver()) {
              begun.countDown();
              channel.trySend(message); // never empty
            }
          });
      begun.await();
      task.cancel();
      assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    }
  }
}
