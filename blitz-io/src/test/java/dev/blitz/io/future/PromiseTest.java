package dev.blitz.io.future;

import static dev.blitz.io.task.SpawnOptions.owning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class PromiseTest {
  private static final Context IGNORING = Context.of(() -> {});

  @Test
  void complete_isSeenByAll_beforeAndAfter() {
    var promise = Promise.<String>create("p");
    var wakes = new AtomicInteger();
    var waits = new ArrayList<UncheckedFuture<String>>();
    for (int i = 0; i < 3; i++) {
      UncheckedFuture<String> wait = promise.future();
      assertThat(wait.poll(Context.of(wakes::incrementAndGet))).isNull();
      waits.add(wait);
    }
    assertThat(promise).hasToString("Promise[p, open]");
    assertThat(promise.complete("x")).isTrue();
    assertThat(wakes).hasValue(3);
    for (var wait : waits) {
      assertThat(wait.poll(IGNORING)).isEqualTo("x");
      assertThatThrownBy(() -> wait.poll(IGNORING)).hasMessageContaining("polled after completion");
    }
    assertThat(promise.future().await()).isEqualTo("x");
    assertThat(promise.complete("y")).isFalse();
    assertThat(promise.fail(new IOException())).isFalse();
    promise.close();
    assertThat(promise.future().await()).isEqualTo("x");
    assertThat(promise).hasToString("Promise[p, completed]");
  }

  @Test
  void fail_throwsToEachAnExceptionOfItsOwn() {
    var promise = Promise.<String>create("p");
    var cause = new IOException("gone");
    assertThat(promise.fail(cause)).isTrue();
    var seen = new ArrayList<Throwable>();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> promise.future().await())
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("Promise[p, failed]")
          .satisfies(seen::add)
          .cause()
          .isSameAs(cause);
    }
    assertThat(seen.get(0)).isNotSameAs(seen.get(1));
    assertThat(cause.getSuppressed()).isEmpty();
  }

  @Test
  void close_cancelsThoseWhoWait_andThoseWhoCome() {
    var promise = Promise.<String>create("p");
    var wait = promise.future();
    assertThat(wait.poll(IGNORING)).isNull();
    promise.close();
    promise.close();
    assertThat(promise.isDone()).isTrue();
    assertThatThrownBy(() -> wait.poll(IGNORING))
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("closed without a result");
    assertThatThrownBy(() -> promise.future().await()).isInstanceOf(CancelledException.class);
    assertThat(promise.complete("late")).isFalse();
  }

  @Test
  void drop_atEveryPoint_leavesNobodyBehind() {
    DropExplorer.explore(() -> {
      var promise = Promise.<String>create();
      var other = promise.future();
      return DropExplorer.scenario(promise.future())
          .step("another asks", () -> assertThat(other.poll(IGNORING)).isNull())
          .step("complete", () -> promise.complete("x"))
          .check(end -> {
            end.ifValue(v -> assertThat(v).isEqualTo("x"));
            assertThat(other.poll(IGNORING)).isEqualTo("x");
            assertThat(promise.hasWaiters()).isFalse();
          });
    });
    DropExplorer.explore(() -> {
      var promise = Promise.<String>create();
      return DropExplorer.scenario(promise.future())
          .step("fail", () -> promise.fail(new IOException("x")))
          .check(end -> assertThat(promise.hasWaiters()).isFalse());
    });
  }

  @Test
  void fulfil_dropAtEveryPoint_endsThePromise() {
    DropExplorer.explore(() -> {
      var source = Promise.<String>create();
      var promise = Promise.<String>create();
      return DropExplorer.scenario(promise.fulfil(source.future()))
          .step("the source", () -> source.complete("x"))
          .check(end -> {
            assertThat(source.hasWaiters()).isFalse();
            if (end.dropped()) {
              assertThatThrownBy(() -> promise.future().await())
                  .isInstanceOf(CancelledException.class);
            } else {
              assertThat(promise.future().await()).isEqualTo("x");
            }
          });
    });
  }

  @Test
  void fulfil_sharesAFutureWithMany_failuresToo() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      var polls = new AtomicInteger();
      var page = Promise.<Integer>create();
      rt.run(() -> {
        var readers = new ArrayList<JoinHandle<Integer>>();
        for (int i = 0; i < 50; i++) {
          readers.add(Task.spawn(page.future()));
        }
        Task.spawn(
                page.fulfil(
                    Task.yieldNow()
                        .andThen(d -> Task.yieldNow())
                        .map(d -> polls.incrementAndGet())))
            .await();
        for (var reader : readers) {
          assertThat(reader.await()).isEqualTo(1);
        }
      });
      assertThat(polls).hasValue(1);
      var broken = Promise.<Integer>create();
      rt.run(broken.fulfil(Futures.failed(new IOException("no"))));
      assertThatThrownBy(() -> rt.run(broken.future()))
          .isInstanceOf(CompletionException.class)
          .hasRootCauseMessage("no");
      var cancelled = Promise.<Integer>create();
      rt.run(cancelled.fulfil(Futures.failed(new CancelledException("why"))));
      assertThatThrownBy(() -> cancelled.future().await())
          .isInstanceOf(CancelledException.class)
          .hasMessage("why");
    }
  }

  @Test
  void aTaskThatNeverRan_closesThePromiseItOwns() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var busy = new CountDownLatch(1);
      var go = new CountDownLatch(1);
      var stuck =
          rt.spawn(
              Futures.lazy(() -> {
                busy.countDown();
                go.await();
                return Done.DONE;
              }));
      busy.await();
      var promise = Promise.<String>create();
      rt.spawn(owning(promise), () -> promise.complete("never")).cancel();
      go.countDown();
      assertThatThrownBy(() -> promise.future().await()).isInstanceOf(CancelledException.class);
      stuck.await();
    }
  }

  @Test
  void oneOfSeveral_completes() throws Exception {
    for (int round = 0; round < 500; round++) {
      var promise = Promise.<Integer>create();
      var wins = new AtomicInteger();
      var wait = promise.future();
      Race.run(
          index -> {
            if (promise.complete(1)) {
              wins.incrementAndGet();
            }
          },
          index -> {
            if (promise.complete(2)) {
              wins.incrementAndGet();
            }
          },
          index -> assertThat(wait.await()).isBetween(1, 2));
      assertThat(wins).hasValue(1);
    }
  }

  @Test
  void aHundredThousandWaiters_comeAndGo_inConstantTimeEach() {
    var promise = Promise.<String>create();
    var wakes = new AtomicInteger();
    List<UncheckedFuture<String>> waits = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      UncheckedFuture<String> wait = promise.future();
      assertThat(wait.poll(Context.of(wakes::incrementAndGet)) == null).isTrue();
      waits.add(wait);
    }
    for (int i = 0; i < 50_000; i++) {
      waits.get(i).drop(); // a list that is searched would take minutes
    }
    promise.complete("x");
    assertThat(wakes).hasValue(50_000);
    assertThat(promise.hasWaiters()).isFalse();
  }
}
