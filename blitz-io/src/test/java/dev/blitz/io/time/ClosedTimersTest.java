package dev.blitz.io.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nobody waits for ever for the timers of a runtime that has closed. */
@Strict
class ClosedTimersTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SOON = Duration.ofMillis(50);
  private static final String CLOSED = "runtime 'gone' is closed: its timers have stopped";

  private final BlitzRuntime gone = BlitzRuntime.builder().workers(1).name("gone").build();

  private static <T> T inTime(CompletableFuture<T> end) throws Exception {
    return end.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void endsClosed(CompletableFuture<?> end) {
    assertThatThrownBy(() -> inTime(end))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(CLOSED);
  }

  @Test
  void aSleepingTaskThatCloseGaveUp_runsItsFinally_andGivesItsMutexBack() throws Exception {
    var begun = new CountDownLatch(1);
    var mutex = Mutex.create();
    var end = new CompletableFuture<Throwable>();
    var task =
        gone.spawn(() ->
            Task.shielded(() -> {
              var guard = mutex.lock().await();
              try {
                begun.countDown();
                Task.sleep(HOUR).await();
              } catch (IllegalStateException e) {
                end.complete(e);
              } finally {
                guard.close();
              }
            }));
    begun.await();
    assertThat(gone.close(SOON).clean()).isFalse();
    assertThat(task.isDone()).isTrue();
    assertThat(inTime(end)).hasMessage(CLOSED);
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      inTime(
          other
              .spawn(() -> {
                mutex.lock().await().close();
              })
              .toCompletableFuture());
    }
  }

  @Test
  void aSleepThatBeginsAfterTheClose_isRefused() throws Exception {
    var begun = new CountDownLatch(1);
    var go = new CompletableFuture<Integer>();
    var end = new CompletableFuture<Object>();
    gone.spawn(() ->
            Task.shielded(() -> {
              begun.countDown();
              Futures.from(go).await();
              try {
                end.complete(Task.sleep(HOUR).await());
              } catch (Throwable t) {
                end.completeExceptionally(t);
              }
            }))
        .detach();
    begun.await();
    assertThat(gone.close(SOON).clean()).isFalse();
    go.complete(1);
    endsClosed(end);
  }

  /** Polls a future once in the runtime that will close. */
  private <F extends UncheckedFuture<?>> F begunThere(F future) throws Exception {
    gone.run(
        Futures.lazy(() -> {
          assertThat(future.poll(Context.of(new NoWaker()))).isNull();
          return 1;
        }));
    return future;
  }

  private static final class NoWaker implements Waker {
    @Override
    public void wake() {}

    @Override
    public boolean isObsolete() {
      return true;
    }
  }

  @Test
  void aSleepThatHasMovedToAnotherRuntime_fails() throws Exception {
    var sleep = begunThere(Task.sleep(HOUR));
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      var waiting = other.spawn(sleep);
      assertThat(gone.close(Timeouts.MEDIUM).clean()).isTrue();
      endsClosed(waiting.toCompletableFuture());
    }
  }

  @Test
  void aSleepThatIsPolledAfterTheClose_fails() throws Exception {
    var sleep = begunThere(Task.sleep(HOUR));
    gone.close();
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      endsClosed(other.spawn(sleep).toCompletableFuture());
    }
  }

  @Test
  void aTickThatHasMoved_fails() throws Exception {
    var tick = begunThere(Interval.every(HOUR).tick());
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      var waiting = other.spawn(tick);
      gone.close();
      endsClosed(waiting.toCompletableFuture());
    }
  }

  @Test
  void aTimeoutThatHasMoved_fails_andDropsWhatItLimits() throws Exception {
    var dropped = new CompletableFuture<Boolean>();
    UncheckedFuture<Integer> inner =
        new UncheckedFuture<>() {
          @Override
          public Integer poll(Context cx) {
            return null;
          }

          @Override
          public void drop() {
            dropped.complete(true);
          }
        };
    var limited = inner.timeout(HOUR);
    gone.run(
        Futures.lazy(() -> {
          assertThat(limited.poll(Context.of(new NoWaker()))).isNull();
          return 1;
        }));
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      var waiting = other.spawn(limited);
      gone.close();
      endsClosed(waiting.toCompletableFuture());
      assertThat(inTime(dropped)).isTrue();
    }
  }

  private DelayQueue<String> queueThere() throws Exception {
    return gone.run(() -> DelayQueue.<String>create());
  }

  @Test
  void whoWaitsForADelayQueue_learnsOfTheClose() throws Exception {
    var queue = queueThere();
    queue.insert("late", HOUR);
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      var waiting = other.spawn(queue.next());
      gone.close();
      endsClosed(waiting.toCompletableFuture());
      endsClosed(other.spawn(queue.next()).toCompletableFuture());
    }
  }

  @Test
  void whoWaitsForAnEmptyDelayQueue_learnsOfTheClose() throws Exception {
    var queue = queueThere();
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      var waiting = other.spawn(() -> queue.next().await());
      dev.blitz.testkit.Await.until(
          () -> other.dump().stream().anyMatch(l -> l.contains("idle")), "the wait");
      gone.close();
      endsClosed(waiting.toCompletableFuture());
    }
  }

  @Test
  void aDelayQueueOfAClosedRuntime_takesNothing_andKeepsWhatItHas() throws Exception {
    var queue = queueThere();
    var key = queue.insert("late", HOUR);
    gone.close();
    assertThatThrownBy(() -> queue.insert("later", HOUR))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(CLOSED);
    assertThatThrownBy(() -> queue.reset(key, HOUR))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(CLOSED);
    assertThat(queue.size()).isEqualTo(1);
    assertThat(queue.tryNext()).isNull();
    assertThat(queue.remove(key)).isTrue();
    assertThat(queue.size()).isZero();
  }

  @Test
  void whoWaitsForARateLimiter_learnsOfTheClose_andTokensThatAreThereCanStillBeTaken()
      throws Exception {
    var limiter = gone.run(() -> RateLimiter.create(2, HOUR));
    try (var other = BlitzRuntime.builder().workers(1).build()) {
      assertThat(limiter.tryAcquire()).isTrue();
      var first = other.spawn(limiter.acquire(2));
      var second = other.spawn(limiter.acquire());
      dev.blitz.testkit.Await.until(limiter::hasWaiters, "the wait");
      gone.close();
      endsClosed(first.toCompletableFuture());
      endsClosed(second.toCompletableFuture());
      endsClosed(other.spawn(limiter.acquire(2)).toCompletableFuture());
      assertThat(limiter.hasWaiters()).isFalse();
      assertThat(limiter.tryAcquire()).isTrue();
      assertThat(limiter.tryAcquire()).isFalse();
    }
  }
}
