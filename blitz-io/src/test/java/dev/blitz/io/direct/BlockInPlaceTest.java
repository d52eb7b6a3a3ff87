package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Task.blockInPlace: the worker goes on with another thread. */
@Strict
class BlockInPlaceTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(1).name("place").build();

  @AfterEach
  void close() {
    assertThat(runtime.close(Duration.ofSeconds(10)).clean()).isTrue();
  }

  @Test
  void inADirectTask_theOnlyWorkerGoesOn() throws Exception {
    int result =
        runtime.run(() -> {
          var released = new CountDownLatch(1);
          Task.spawn(released::countDown).detach();
          int inside =
              Task.blockInPlace(() -> {
                released.await(); // blocks the thread until the other task has run
                return 20;
              });
          return inside + Task.spawn(() -> 1).await();
        });
    assertThat(result).isEqualTo(21);
  }

  /** Waits inside a class initialiser, where no virtual thread can leave its carrier. */
  private static final class Initialised {
    static final CountDownLatch RELEASED = new CountDownLatch(1);

    private static final class Late {
      static final int VALUE = awaitRelease();

      private static int awaitRelease() {
        try {
          RELEASED.await();
          return 20;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  @Test
  void inADirectTask_thatBlocksItsCarrier_theOnlyWorkerGoesOn() throws Exception {
    assumeTrue(runtime.carriers().own(), "it would block one of the JDK's carriers");
    int result =
        runtime.run(() -> {
          Task.spawn(Initialised.RELEASED::countDown).detach();
          return Task.<Integer>blockInPlace(() -> Initialised.Late.VALUE);
        });
    assertThat(result).isEqualTo(20);
  }

  @Test
  void inAPoll_theOnlyWorkerGoesOn() throws Exception {
    int result =
        runtime.run(
            Futures.lazy(() -> {
              var released = new CountDownLatch(1);
              Task.spawn(Futures.lazy(() -> countDown(released))).detach();
              long id = Task.id();
              int inside =
                  Task.blockInPlace(() -> {
                    released.await();
                    return 1;
                  });
              assertThat(Task.id()).isEqualTo(id);
              return inside;
            }));
    assertThat(result).isEqualTo(1);
    assertThat(runtime.run(() -> 2)).isEqualTo(2);
  }

  private static int countDown(CountDownLatch latch) {
    latch.countDown();
    return 1;
  }

  @Test
  void manyAtOnce_allBlockTogether() throws Exception {
    int n = 20;
    var all = new CountDownLatch(n);
    List<JoinHandle<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int mine = i;
      tasks.add(
          runtime.spawn(() ->
              Task.blockInPlace(() -> {
                all.countDown();
                all.await();
                return mine;
              })));
    }
    int sum = 0;
    for (var t : tasks) {
      sum += t.await();
    }
    assertThat(sum).isEqualTo(n * (n - 1) / 2);
  }

  @Test
  void inALoop_threadsAreReused() throws Exception {
    int before = Thread.activeCount();
    runtime.run(() -> {
      for (int i = 0; i < 200; i++) {
        int n = i;
        assertThat(Task.<Integer>blockInPlace(() -> n)).isEqualTo(n);
        Task.yieldNow().await();
      }
    });
    assertThat(Thread.activeCount() - before).isLessThan(20);
  }

  @Test
  void nested_failing_andAwaiting() throws Exception {
    runtime.run(() -> {
      int nested = Task.blockInPlace(() -> Task.<Integer>blockInPlace(() -> 5) + 1);
      assertThat(nested).isEqualTo(6);
      assertThatThrownBy(() ->
              Task.blockInPlace(() -> {
                throw new IOException("disk");
              }))
          .isInstanceOf(IOException.class);
      String awaited =
          Task.blockInPlace(() -> {
            Task.sleep(Duration.ofMillis(2)).await();
            return Task.spawn(() -> "from a task").await();
          });
      assertThat(awaited).isEqualTo("from a task");
      assertThat(Task.name()).isEqualTo("main");
    });
  }

  @Test
  void cancel_interruptsTheCall() throws Exception {
    var begun = new CountDownLatch(1);
    var task =
        runtime.spawn(() ->
            Task.blockInPlace(() -> {
              begun.countDown();
              Thread.sleep(Duration.ofHours(1));
            }));
    begun.await();
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void elsewhere_justCalls() throws Exception {
    assertThat(Task.<Integer>blockInPlace(() -> 1)).isEqualTo(1);
    assertThat(runtime.spawnBlocking(() -> Task.<Integer>blockInPlace(() -> 2)).await())
        .isEqualTo(2);
    var seen = new AtomicInteger();
    Thread.ofVirtual()
        .start(() -> {
          try {
            seen.set(Task.<Integer>blockInPlace(() -> 3));
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        })
        .join();
    assertThat(seen).hasValue(3);
  }

  @Test
  void close_duringTheCall_interruptsIt_andALateOneIsJustCalled() throws Exception {
    var rt = BlitzRuntime.builder().workers(1).build();
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var late = new AtomicInteger();
    rt.spawn(
            () -> {
              Task.shielded(() -> {
                Task.blockInPlace(() -> {
                  begun.countDown();
                  release.await();
                });
                late.set(Task.<Integer>blockInPlace(() -> 9));
              });
            })
        .detach();
    begun.await();
    assertThat(rt.close(Duration.ofMillis(50)).clean()).isFalse();
    release.countDown();
    Await.until(() -> late.get() == 9, "the call after the close");
  }

  /** The task becomes idle only when the close has looked at all idle tasks. */
  @Test
  void aFirstPollThatEndsAfterTheClose_leavesNoHandleOpen() throws Exception {
    var rt = BlitzRuntime.builder().workers(1).build();
    var begun = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var task =
        rt.spawn(
            Task.shielded(
                Futures.lazy(
                        () -> {
                          Task.blockInPlace(() -> {
                            begun.countDown();
                            release.await();
                          });
                          return 1;
                        })
                    .andThen(n -> Futures.<Integer>pending())));
    begun.await();
    assertThat(rt.close(Duration.ofMillis(50)).clean()).isFalse();
    assertThat(task.isDone()).isFalse();
    release.countDown();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
  }

  /**
   * A timer's waker runs on the worker, but outside any poll: the worker is in the middle of it.
   */
  @Test
  void inAWakerOnTheWorker_justCalls() throws Exception {
    var called = new CountDownLatch(1);
    Waker waker =
        () -> {
          try {
            Task.blockInPlace(called::countDown);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        };
    var sleep = Task.sleep(Duration.ofMillis(1));
    runtime.run(Futures.lazy(() -> sleep.poll(Context.of(waker)) == null));
    called.await();
    String thread = runtime.run(Futures.lazy(() -> Thread.currentThread().getName()));
    assertThat(thread).doesNotContain("spare");
  }
}
