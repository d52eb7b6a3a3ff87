package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.sync.Mutex;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Failures that cannot be told, and futures that cannot say what they are: both still arrive. */
@Strict
class HostileFailureTest {
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private final BlitzRuntime rt =
      BlitzRuntime.builder().workers(2).uncaughtHandler((what, t) -> uncaught.add(t)).build();

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** Nothing can be asked of it. */
  @SuppressWarnings("ThrowableEqualsHashCode") // that is the point
  private static final class Mute extends Exception {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new StackOverflowError("getMessage");
    }

    @Override
    public String toString() {
      throw new AssertionError("toString");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("getCause");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      throw new AssertionError("equals");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("hashCode");
    }
  }

  private static void fail() throws Mute {
    throw new Mute();
  }

  private static <T> Future<T> failing() {
    return Futures.failed(new Mute());
  }

  /** Pending, and its toString throws an Error. */
  private static Future<Done> nameless(AtomicBoolean dropped) {
    return new Future<>() {
      @Override
      public @Nullable Done poll(Context cx) {
        return null;
      }

      @Override
      public void drop() {
        dropped.set(true);
      }

      @Override
      public String toString() {
        throw new AssertionError("toString");
      }
    };
  }

  // --- Failures ---

  @Test
  void await_ofEveryKindOfTask_throwsTheFailure() {
    List<JoinHandle<?>> tasks =
        List.of(
            rt.spawn(failing()),
            rt.spawn(HostileFailureTest::fail),
            rt.spawnBlocking(() -> {
              fail();
              return 1;
            }));
    for (JoinHandle<?> task : tasks) {
      assertThatThrownBy(task::await)
          .isInstanceOf(TaskFailedException.class)
          .satisfies(e -> assertThat(e.getCause() instanceof Mute).isTrue());
      assertThatThrownBy(task::get).isInstanceOf(TaskFailedException.class);
    }
  }

  @Test
  void toCompletableFuture_completes() throws Exception {
    for (JoinHandle<?> task : List.of(rt.spawn(failing()), rt.spawn(HostileFailureTest::fail))) {
      CompletableFuture<?> stage = task.toCompletableFuture();
      assertThat(stage.handle((v, t) -> t instanceof Mute).get(8, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aCancelledDirectTaskThatEndsWithIt_ends() throws Exception {
    var begun = new CountDownLatch(1);
    JoinHandle<Done> task =
        rt.spawn(() -> {
          try {
            begun.countDown();
            Futures.pending().await();
          } catch (CancelledException e) {
            throw new Mute();
          }
        });
    begun.await();
    task.cancel();
    Await.until(task::isDone, "the end of the task");
    assertThatThrownBy(task::await).isInstanceOf(TaskFailedException.class);
  }

  @Test
  void run_throwsIt() {
    assertThatThrownBy(() -> rt.run(failing()))
        .satisfies(e -> assertThat(e instanceof Mute).isTrue());
  }

  @Test
  void anUncheckedView_wrapsIt() {
    UncheckedFuture<Integer> view =
        Futures.ready(1)
            .map(one -> {
              fail();
              return one;
            });
    assertThatThrownBy(view::await)
        .isInstanceOf(CompletionException.class)
        .satisfies(e -> assertThat(e.getCause() instanceof Mute).isTrue());
  }

  @Test
  void aScope_throwsIt() {
    try (TaskScope scope = TaskScope.open(rt)) {
      scope.spawn(failing());
      assertThatThrownBy(scope::join).isInstanceOf(TaskFailedException.class);
    }
  }

  @Test
  void aStageThatEndsWithIt_throwsIt() {
    assertThatThrownBy(() -> Futures.from(CompletableFuture.failedFuture(new Mute())).await())
        .satisfies(e -> assertThat(e instanceof Mute).isTrue());
    var endless =
        new CompletionException("its own cause", null) {
          private static final long serialVersionUID = 1L;

          @Override
          public synchronized Throwable getCause() {
            return this;
          }
        };
    assertThatThrownBy(() -> Futures.from(CompletableFuture.failedFuture(endless)).await())
        .isSameAs(endless);
  }

  /** A stage tells nobody of what its callbacks throw. */
  @Test
  void aWakerThatThrows_whenAStageEnds_isToldOf() throws Exception {
    var stage = new CompletableFuture<Integer>();
    Future<Integer> waiting = Futures.from(stage);
    Context cx =
        Context.of(() -> {
          throw new IllegalStateException("a waker");
        });
    assertThat(waiting.poll(cx)).isNull();
    try (var log = new LogCapture()) {
      stage.complete(1);
      assertThat(log.messages()).singleElement().asString().contains("waker");
    }
    assertThat(waiting.poll(cx)).isEqualTo(1);
  }

  @Test
  void aFailureThatNobodyJoins_reachesTheHandler() {
    rt.spawn(failing()).detach();
    Await.until(() -> uncaught.size() == 1, "the handler");
  }

  @Test
  void theLogItself_mayFail() {
    BlitzRuntime logging = BlitzRuntime.builder().workers(1).build();
    try {
      JoinHandle<?> task = logging.spawn(failing());
      task.detach();
      Await.until(task::isDone, "the end of the task");
      assertThat(logging.spawn(Futures.ready(1)).await()).isEqualTo(1);
    } finally {
      assertThat(logging.close(Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  @Test
  void aCleanupThatThrowsTheSame_changesNothing() {
    var cached = new IOException("cached");
    Future<Integer> both =
        Futures.<Integer>failed(cached)
            .whenDone(() -> {
              throw cached;
            });
    assertThatThrownBy(both::await).isSameAs(cached);
  }

  // --- Exceptions that are kept ---

  @Test
  void aCachedException_doesNotGrowWithEachRun() {
    var cached = new IOException("cached");
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> rt.run(Futures.failed(cached))).isSameAs(cached);
    }
    assertThat(cached.getSuppressed()).hasSize(1);
    var cleaned = new IOException("cleaned");
    for (int i = 0; i < 1_000; i++) {
      Future<Integer> both =
          Futures.<Integer>failed(cleaned)
              .whenDone(() -> {
                throw new IOException("second");
              });
      assertThatThrownBy(both::await).isSameAs(cleaned);
    }
    assertThat(cleaned.getSuppressed()).hasSizeBetween(1, 32);
  }

  @Test
  void run_addsThePlaceOfTheCall_alsoWhereAnotherTasksFailureIsSuppressed() {
    var failure = new IOException("first");
    failure.addSuppressed(new TaskFailedException("second", new IOException("second")));
    assertThatThrownBy(() -> rt.run(Futures.failed(failure))).isSameAs(failure);
    assertThat(failure.getSuppressed()).hasSize(2);
    assertThat(failure.getSuppressed()[1].getStackTrace()).isNotEmpty();
  }

  @Test
  void aBodysCachedFailure_doesNotGrowWithEachScope() {
    var cached = new IOException("cached");
    for (int i = 0; i < 200; i++) {
      Future<Integer> within =
          TaskScope.within(scope -> {
            JoinHandle<Integer> child = scope.spawn(Futures.failed(new IOException("child")));
            return new Future<>() {
              @Override
              public @Nullable Integer poll(Context cx) throws Exception {
                if (child.isDone()) {
                  throw cached;
                }
                cx.waker().wake();
                return null;
              }
            };
          });
      assertThatThrownBy(() -> rt.run(within)).isInstanceOf(Exception.class);
    }
    assertThat(cached.getSuppressed()).hasSizeLessThanOrEqualTo(32);
  }

  // --- Futures ---

  @Test
  void aTimeout_dropsAFutureWhoseToStringThrowsAnError() throws Exception {
    Mutex mutex = Mutex.create();
    var dropped = new AtomicBoolean();
    Future<Done> holder = mutex.lock().andThen(guard -> nameless(dropped).whenDone(guard::close));
    Future<Done> unnamed =
        new Future<>() {
          @Override
          public @Nullable Done poll(Context cx) throws Exception {
            return holder.poll(cx);
          }

          @Override
          public void drop() {
            holder.drop();
          }

          @Override
          public String toString() {
            throw new StackOverflowError("toString");
          }
        };
    assertThatThrownBy(() -> rt.run(unnamed.timeout(Duration.ofMillis(1))))
        .isInstanceOf(TimedOutException.class);
    assertThat(dropped).isTrue();
    assertThat(mutex.tryLock()).isTrue();
  }

  @Test
  void aCancelledWait_isToldAsOne_whateverTheFutureSays() throws Exception {
    var dropped = new AtomicBoolean();
    var begun = new CountDownLatch(1);
    var seen = new CopyOnWriteArrayList<Throwable>();
    JoinHandle<Done> direct =
        rt.spawn(() -> {
          begun.countDown();
          try {
            nameless(dropped).await();
          } catch (Throwable t) {
            seen.add(t);
            throw t;
          }
        });
    begun.await();
    direct.cancel();
    assertThatThrownBy(direct::await).isInstanceOf(CancelledException.class);
    assertThat(seen).singleElement().isInstanceOf(CancelledException.class);
    assertThat(dropped).isTrue();

    CancelToken token = CancelToken.create();
    token.cancel();
    var guarded = new AtomicBoolean();
    assertThatThrownBy(() -> token.guard(nameless(guarded)).await())
        .isInstanceOf(CancelledException.class);
    assertThat(guarded).isTrue();

    Thread.currentThread().interrupt();
    var interrupted = new AtomicBoolean();
    assertThatThrownBy(() -> nameless(interrupted).await()).isInstanceOf(CancelledException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(interrupted).isTrue();
  }
}
