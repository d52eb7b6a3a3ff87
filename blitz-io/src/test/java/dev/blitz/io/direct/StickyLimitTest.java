package dev.blitz.io.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit or a cancellation holds although the code has swallowed the one interrupt of it. */
@Strict
class StickyLimitTest {
  private static final Duration SOON = Duration.ofMillis(20);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Backoff AGAIN = Backoff.fixed(Duration.ofMillis(1));

  private final BlitzRuntime rt = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(rt.stats().live()).isZero();
  }

  private <T> JoinHandle<T> start(boolean blocking, ThrowingSupplier<T> body) {
    return blocking ? rt.spawnBlocking(body) : rt.spawn(body);
  }

  private static void waitForTheInterrupt() throws IOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new IOException("read failed", e); // and the interrupt is gone
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anAwait_afterTheInterruptWasSwallowed_ends(boolean blocking) {
    start(
            blocking,
            () -> {
              assertThatThrownBy(() ->
                      Task.timeout(
                          SOON,
                          () -> {
                            assertThatThrownBy(StickyLimitTest::waitForTheInterrupt)
                                .isInstanceOf(IOException.class);
                            Task.sleep(HOUR).await();
                          }))
                  .isInstanceOf(TimedOutException.class)
                  .hasCauseInstanceOf(CancelledException.class);
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
              Task.sleep(Duration.ofMillis(1)).await(); // the limit is over
              return Done.DONE;
            })
        .await();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRetry_afterTheInterruptWasSwallowed_ends(boolean blocking) {
    var calls = new AtomicInteger();
    start(
            blocking,
            () -> {
              assertThatThrownBy(() ->
                      Task.timeout(
                          SOON,
                          () ->
                              Task.retry(
                                  AGAIN,
                                  () -> {
                                    calls.incrementAndGet();
                                    waitForTheInterrupt();
                                  })))
                  .isInstanceOf(TimedOutException.class)
                  .hasRootCauseInstanceOf(InterruptedException.class);
              return Done.DONE;
            })
        .await();
    assertThat(calls).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRetry_ofACancelledTask_ends(boolean blocking) throws Exception {
    var calls = new AtomicInteger();
    var begun = new CountDownLatch(1);
    JoinHandle<Done> task =
        start(
            blocking,
            () -> {
              Task.retry(
                  AGAIN,
                  () -> {
                    calls.incrementAndGet();
                    begun.countDown();
                    waitForTheInterrupt();
                  });
              return Done.DONE;
            });
    begun.await();
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(calls).hasValue(1);
  }

  @Test
  void aLimit_insideAShieldOfACancelledTask_leavesTheShieldWhole() throws Exception {
    var told = new LinkedBlockingQueue<Object>();
    var inside = new CountDownLatch(1);
    var cancelled = new CountDownLatch(1);
    JoinHandle<Done> task =
        rt.spawn(() -> {
          Task.shielded(() -> {
            inside.countDown();
            cancelled.await();
            try {
              Task.timeout(SOON, () -> Task.sleep(HOUR).await());
            } catch (RuntimeException e) {
              told.add(e.getClass());
            }
            told.add(Thread.currentThread().isInterrupted());
            Task.sleep(Duration.ofMillis(1)).await();
            told.add("goodbye");
          });
          Task.sleep(HOUR).await();
          return Done.DONE;
        });
    inside.await();
    task.cancel();
    cancelled.countDown();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(told).containsExactly(TimedOutException.class, false, "goodbye");
  }

  @Test
  void aFutureInsteadOfItsResult_isRefused() throws Exception {
    rt.run(() -> {
      assertThatThrownBy(() -> Task.timeout(HOUR, () -> Task.sleep(SOON)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Task.timeout returned a future");
      assertThatThrownBy(() -> Task.retry(AGAIN, () -> Task.sleep(SOON)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Task.retry returned a future");
      JoinHandle<Done> spawned = Task.timeout(HOUR, () -> Task.spawn(Task.yieldNow()));
      spawned.await(); // that one runs by itself
      Mutex lock = Mutex.create();
      Task.timeout(HOUR, () -> lock.lock().await()).close(); // a guard is no future any more
      assertThat(lock.isLocked()).isFalse();
    });
  }
}
