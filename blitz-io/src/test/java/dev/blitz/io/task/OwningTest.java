package dev.blitz.io.task;

import static dev.blitz.io.task.SpawnOptions.named;
import static dev.blitz.io.task.SpawnOptions.owning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Strict
class OwningTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(1)
          .blockingThreads(1)
          .uncaughtHandler((what, failure) -> uncaught.add(failure))
          .build();

  @AfterEach
  void close() {
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  private AutoCloseable resource(String name) {
    return () -> log.add(name);
  }

  private static AutoCloseable failing(String message) {
    return () -> {
      throw new IOException(message);
    };
  }

  /** The three kinds of task, with the same code in each. */
  enum Kind {
    STACKLESS {
      @Override
      <T> JoinHandle<T> spawn(BlitzRuntime rt, SpawnOptions options, Code<T> code) {
        return rt.spawn(options, Futures.lazy(code::run));
      }

      @Override
      <T> JoinHandle<T> spawn(TaskScope scope, SpawnOptions options, Code<T> code) {
        return scope.spawn(options, Futures.lazy(code::run));
      }
    },
    DIRECT {
      @Override
      <T> JoinHandle<T> spawn(BlitzRuntime rt, SpawnOptions options, Code<T> code) {
        return rt.spawn(options, () -> code.run());
      }

      @Override
      <T> JoinHandle<T> spawn(TaskScope scope, SpawnOptions options, Code<T> code) {
        return scope.spawn(options, () -> code.run());
      }
    },
    BLOCKING {
      @Override
      <T> JoinHandle<T> spawn(BlitzRuntime rt, SpawnOptions options, Code<T> code) {
        return rt.spawnBlocking(options, code::run);
      }

      @Override
      <T> JoinHandle<T> spawn(TaskScope scope, SpawnOptions options, Code<T> code) {
        return scope.spawnBlocking(options, code::run);
      }
    };

    interface Code<T> {
      T run() throws Exception;
    }

    abstract <T> JoinHandle<T> spawn(BlitzRuntime rt, SpawnOptions options, Code<T> code);

    abstract <T> JoinHandle<T> spawn(TaskScope scope, SpawnOptions options, Code<T> code);
  }

  @ParameterizedTest
  @EnumSource
  void resources_areClosedLastFirst_beforeTheEndIsSeen(Kind kind) {
    var task =
        kind.spawn(
            rt,
            owning(resource("a"), resource("b")).and(named("clerk")),
            () -> {
              log.add("code of " + Task.name());
              return 1;
            });
    assertThat(task.await()).isEqualTo(1);
    assertThat(log).containsExactly("code of clerk", "b", "a");
  }

  @ParameterizedTest
  @EnumSource
  void aTaskCancelledBeforeItsFirstTurn_closesToo(Kind kind) throws Exception {
    var go = new CountDownLatch(1);
    var busy = new CountDownLatch(2);
    var worker =
        rt.spawn(
            Futures.lazy(() -> {
              busy.countDown();
              go.await();
              return Done.DONE;
            }));
    var pool =
        rt.spawnBlocking(() -> {
          busy.countDown();
          go.await();
          return Done.DONE;
        });
    busy.await();
    var ran = new AtomicInteger();
    var task = kind.spawn(rt, owning(resource("a"), resource("b")), ran::incrementAndGet);
    task.cancel();
    go.countDown();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(log).containsExactly("b", "a");
    assertThat(ran).hasValue(0);
    worker.await();
    pool.await();
  }

  @ParameterizedTest
  @EnumSource
  void aTaskThatWaits_closesWhenItIsCancelled(Kind kind) {
    var begun = new CountDownLatch(1);
    JoinHandle<?> task =
        kind == Kind.STACKLESS
            ? rt.spawn(
                owning(resource("a")),
                Futures.lazy(
                        () -> {
                          begun.countDown();
                          return Done.DONE;
                        })
                    .andThen(done -> Task.sleep(HOUR)))
            : kind.spawn(
                rt,
                owning(resource("a")),
                () -> {
                  begun.countDown();
                  Thread.sleep(HOUR);
                  return Done.DONE;
                });
    Await.until(() -> begun.getCount() == 0, "the task");
    assertThat(log).isEmpty();
    task.cancel();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(log).containsExactly("a");
  }

  @ParameterizedTest
  @EnumSource
  void failures_areSuppressed_asInATryBlock(Kind kind) {
    var task =
        kind.spawn(
            rt,
            owning(failing("first"), resource("a"), failing("second")),
            () -> {
              throw new IllegalStateException("code");
            });
    assertThatThrownBy(task::await)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("code")
        .satisfies(t ->
            assertThat(t.getSuppressed())
                .extracting(Throwable::getMessage)
                .containsExactly("second", "first"));
    assertThat(log).containsExactly("a");

    var fine = kind.spawn(rt, owning(failing("third"), failing("fourth")), () -> 1);
    assertThatThrownBy(fine::await)
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessage("fourth")
        .satisfies(t -> assertThat(t.getSuppressed()).hasSize(1));
  }

  @ParameterizedTest
  @EnumSource
  void failuresOfATaskThatNeverRan_goToTheHandler(Kind kind) throws Exception {
    var go = new CountDownLatch(1);
    var busy = new CountDownLatch(2);
    rt.spawn(
            Futures.lazy(() -> {
              busy.countDown();
              go.await();
              return Done.DONE;
            }))
        .detach();
    rt.spawnBlocking(
            () -> {
              busy.countDown();
              go.await();
              return Done.DONE;
            })
        .detach();
    busy.await();
    var task = kind.spawn(rt, owning(resource("a"), failing("lost")), () -> 1);
    task.cancel();
    go.countDown();
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(log).containsExactly("a");
    assertThat(uncaught).extracting(Throwable::getMessage).containsExactly("lost");
    uncaught.clear();
  }

  @ParameterizedTest
  @EnumSource
  void aSpawnThatIsRefused_closes(Kind kind) {
    try (var scope = TaskScope.open(rt)) {
      scope.cancel();
      assertThatThrownBy(() -> kind.spawn(scope, owning(resource("scope")), () -> 1))
          .isInstanceOf(CancelledException.class);
    }
    rt.close();
    assertThatThrownBy(() -> kind.spawn(rt, owning(resource("runtime"), failing("c")), () -> 1))
        .isInstanceOf(RejectedExecutionException.class)
        .satisfies(t -> assertThat(t.getSuppressed()).hasSize(1));
    assertThat(log).containsExactly("scope", "runtime");
  }

  @Test
  void aSpawnOutsideAnyRuntime_orOfNothing_closes() {
    assertThatThrownBy(() -> Task.spawn(owning(resource("a")), () -> 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Task.spawn(owning(resource("b")), Futures.done()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Task.spawnBlocking(owning(resource("c")), () -> 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> rt.spawn(owning(resource("d")), (dev.blitz.io.future.Future<?>) null))
        .isInstanceOf(NullPointerException.class);
    assertThat(log).containsExactly("a", "b", "c", "d");
    assertThatThrownBy(() -> owning(resource("e"), null)).isInstanceOf(NullPointerException.class);
  }

  @ParameterizedTest
  @EnumSource
  void children_ofAScopeThatGivesUp_close(Kind kind) {
    var begun = new CountDownLatch(1);
    try (var scope = TaskScope.open(rt)) {
      kind.spawn(
          scope,
          owning(resource("child")),
          () -> {
            begun.countDown();
            if (kind != Kind.STACKLESS) {
              Thread.sleep(HOUR);
            }
            return 1;
          });
      if (kind != Kind.STACKLESS) {
        Await.until(() -> begun.getCount() == 0, "the child");
      }
      scope.cancel();
    }
    assertThat(log).containsExactly("child");
  }

  @ParameterizedTest
  @EnumSource
  void aRuntimeThatCloses_closesWhatItsTasksOwn(Kind kind) throws Exception {
    var go = new CountDownLatch(1);
    var busy = new CountDownLatch(2);
    var stuck =
        rt.spawn(
            Futures.lazy(() -> {
              busy.countDown();
              go.await();
              return Done.DONE;
            }));
    var pool =
        rt.spawnBlocking(() -> {
          busy.countDown();
          while (go.getCount() > 0) {
            Thread.onSpinWait();
          }
          return Done.DONE;
        });
    busy.await();
    var task = kind.spawn(rt, owning(resource("a")), () -> 1);
    var closer = Thread.ofPlatform().start(rt::close);
    Await.until(
        () -> {
          try {
            rt.spawn(Futures.done()).detach();
            return false;
          } catch (RejectedExecutionException e) {
            return true;
          }
        },
        "the close");
    go.countDown();
    closer.join();
    assertThat(log).containsExactly("a");
    if (kind != Kind.BLOCKING) { // the pool may have come to it
      assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
    }
    assertThat(stuck.isDone() && pool.isDone()).isTrue();
  }

  @Test
  void options_areForOneTask() {
    var options = owning(resource("a"));
    var first = rt.spawn(options, Task.sleep(HOUR));
    assertThatThrownBy(() -> rt.spawn(options, Futures.done()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("have been used");
    try (var scope = TaskScope.open(rt)) {
      assertThatThrownBy(() -> scope.spawn(options.and(named("again")), Futures.done()))
          .isInstanceOf(IllegalStateException.class);
      scope.cancel();
      assertThatThrownBy(() -> scope.spawn(options, Futures.done()))
          .isInstanceOf(CancelledException.class);
    }
    assertThat(log).as("they are still the first one's").isEmpty();
    first.cancel();
    assertThatThrownBy(first::await).isInstanceOf(CancelledException.class);
    assertThat(log).containsExactly("a");
  }

  @Test
  void closeOfADirectTask_mayWait_onItsThread() {
    var thread = new AtomicReference<Thread>();
    AutoCloseable slow =
        () -> {
          Task.yieldNow().await();
          log.add(Thread.currentThread() == thread.get() ? "same thread" : "another");
        };
    rt.spawn(owning(slow), () -> thread.set(Thread.currentThread())).await();
    assertThat(log).containsExactly("same thread");
  }

  @Test
  void receivers_learnThatASenderIsGone_whoseTaskNeverRan() throws Exception {
    var go = new CountDownLatch(1);
    var busy = new CountDownLatch(1);
    rt.spawn(
            Futures.lazy(() -> {
              busy.countDown();
              go.await();
              return Done.DONE;
            }))
        .detach();
    busy.await();
    var channel = Channel.<String>bounded(1);
    var sender = channel.sender();
    var producer = rt.spawn(owning(sender), () -> sender.send("never").await());
    producer.cancel();
    go.countDown();
    for (String message : channel.receiver()) {
      throw new AssertionError(message);
    }
  }

  /** An exception that is thrown again and again must not keep all that ever failed beside it. */
  @Test
  void failuresOfClose_besideAConstant_areSuppressedWithinBounds() {
    var constant = new IllegalStateException("always the same");
    for (int i = 0; i < 100; i++) {
      JoinHandle<Integer> task = rt.spawn(owning(failing("of a close")), Futures.failed(constant));
      assertThatThrownBy(task::await).hasCause(constant);
    }
    assertThat(constant.getSuppressed()).hasSizeBetween(1, 50);
    assertThat(uncaught).hasSize(100 - constant.getSuppressed().length);
    uncaught.clear();
  }

  @Test
  void anEndedTask_doesNotKeepWhatItOwned() {
    var handle = new AtomicReference<JoinHandle<?>>();
    WeakReference<Object> owned = spawnAndForget(handle);
    handle.get().await();
    Await.untilCollected(() -> owned.refersTo(null), "the resource to be collected");
  }

  private WeakReference<Object> spawnAndForget(AtomicReference<JoinHandle<?>> handle) {
    var big = new byte[1 << 20];
    AutoCloseable resource = () -> log.add("closed " + big.length);
    handle.set(rt.spawn(owning(resource), Futures.done()));
    return new WeakReference<>(resource);
  }

  @Test
  void two_ownAllThatEitherOwns_andAreUsedUp() throws Exception {
    var first = owning(resource("a"));
    var second = owning(resource("b")).and(named("old"));
    var both = first.and(second).and(named("new"));
    assertThat(rt.spawn(both, Task::name).await()).isEqualTo("new");
    assertThat(log).containsExactly("b", "a");
    assertThatThrownBy(() -> rt.spawn(first, Futures.done()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> first.and(owning(resource("c"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("have been used");
  }
}
