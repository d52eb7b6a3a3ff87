package dev.blitz.io.task;

import static dev.blitz.io.task.ScopePolicy.collect;
import static dev.blitz.io.task.ScopePolicy.failAfter;
import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.named;
import static dev.blitz.io.task.SpawnOptions.owning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Promise;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class ScopePolicyTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Context NOBODY = Context.of(() -> {});

  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(2)
          .uncaughtHandler((what, t) -> uncaught.add(String.valueOf(t.getMessage())))
          .build();

  @AfterEach
  void nothingIsLeft() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(rt.stats().live()).isZero();
  }

  // --- failAfter ---

  @Test
  void aFailedChild_isNotKept_withWhatItCaptured() throws Exception {
    try (var scope = TaskScope.open(rt, failAfter(4))) {
      List<WeakReference<Object>> captured = new ArrayList<>();
      captured.add(spawnFailing(capture -> scope.spawn(Futures.lazy(capture))));
      captured.add(spawnFailing(capture -> scope.spawn(capture)));
      captured.add(spawnFailing(capture -> scope.spawnBlocking(capture)));
      scope.join();
      Await.untilCollected(
          () -> captured.stream().allMatch(object -> object.refersTo(null)), "what they captured");
      assertThat(scope.failures()).hasSize(3);
    }
  }

  private static WeakReference<Object> spawnFailing(Consumer<ThrowingSupplier<Object>> spawn) {
    var big = new byte[1 << 16];
    spawn.accept(() -> {
      throw new IOException("failed beside " + big.length);
    });
    return new WeakReference<>(big);
  }

  // --- limit ---

  @Test
  void limit_spawnWaitsForRoom() throws Exception {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    rt.run(() -> {
      try (var scope = TaskScope.open(limit(3))) {
        for (int i = 0; i < 100; i++) {
          scope.spawn(() -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Task.yieldNow().await();
            running.decrementAndGet();
          });
        }
        scope.join();
      }
    });
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void limit_threadsOutsideWaitToo() throws Exception {
    var gate = new CountDownLatch(1);
    try (var scope = TaskScope.open(rt, limit(1))) {
      scope.spawnBlocking(() -> {
        gate.await();
        return 1;
      });
      Thread opener =
          Thread.ofPlatform().start(() -> Await.until(() -> scope.running() == 1, "it"));
      opener.join();
      Thread.ofVirtual().start(gate::countDown);
      assertThat(scope.spawn(() -> 2).await()).isEqualTo(2);
      scope.join();
    }
  }

  @Test
  void limit_aFailureEndsTheWaitForRoom_andWhatItWasToOwnIsClosed() throws Exception {
    var closed = new AtomicInteger();
    rt.run(() -> {
      try (var scope = TaskScope.open(limit(1))) {
        scope.spawn(() -> {
          Task.yieldNow().await();
          throw new IOException("first");
        });
        assertThatThrownBy(() -> scope.spawn(owning(closed::incrementAndGet), () -> 1))
            .isInstanceOf(CancelledException.class)
            .hasRootCauseMessage("first");
        assertThatThrownBy(scope::join).hasRootCauseMessage("first");
      }
    });
    assertThat(closed).hasValue(1);
  }

  @Test
  void limit_insideAPoll_spawnIsRefused_andSpawnWhenRoomWaits() throws Exception {
    Future<Integer> body =
        TaskScope.within(
            limit(1),
            scope -> {
              Promise<Done> gate = Promise.create();
              JoinHandle<Done> first = scope.spawn(gate.future());
              assertThatThrownBy(() -> scope.spawn(Futures.done()))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining("spawnWhenRoom");
              gate.complete(Done.DONE);
              return scope
                  .<Integer>spawnWhenRoom(Futures.ready(7))
                  .andThen(second -> {
                    assertThat(first.isDone()).isTrue();
                    return second;
                  });
            });
    assertThat(rt.run(body)).isEqualTo(7);
  }

  @Test
  void spawnWhenRoom_droppedAtEveryPoll_losesNoRoom() throws Exception {
    for (int polls = 0; polls < 3; polls++) {
      for (boolean endsBefore : new boolean[] {false, true}) {
        try (var scope = TaskScope.open(rt, limit(1))) {
          JoinHandle<Done> holder = scope.spawn(Futures.pending());
          var drops = new AtomicInteger();
          UncheckedFuture<JoinHandle<Done>> waiting =
              scope.spawnWhenRoom(Futures.<Done>pending().whenDone(drops::incrementAndGet));
          for (int i = 0; i < polls; i++) {
            assertThat(waiting.poll(NOBODY)).isNull();
          }
          if (endsBefore) {
            holder.cancel();
            Await.until(holder::isDone, "its end");
            int granted = polls > 0 ? 1 : 0; // who waits has been handed the place
            Await.until(() -> scope.running() == granted, "the place");
          }
          waiting.drop();
          assertThat(drops).hasValue(1);
          holder.cancel();
          assertThat(scope.spawn(Futures.ready(1)).await()).as("room again").isEqualTo(1);
          scope.join();
        }
      }
    }
  }

  @Test
  void limit_manySpawners_neverExceedIt_andAllAreServed() throws Exception {
    var running = new AtomicInteger();
    var ran = new AtomicInteger();
    rt.run(() -> {
      try (var outer = TaskScope.open();
          var inner = TaskScope.open(limit(2))) {
        for (int i = 0; i < 8; i++) {
          outer.spawn(() -> {
            for (int k = 0; k < 25; k++) {
              inner.spawn(() -> {
                assertThat(running.incrementAndGet()).isLessThanOrEqualTo(2);
                Task.yieldNow().await();
                running.decrementAndGet();
                ran.incrementAndGet();
              });
            }
          });
        }
        outer.join();
        inner.join();
      }
    });
    assertThat(ran).hasValue(200);
  }

  // --- failAfter ---

  @Test
  void failAfter_putsUpWithFewer_andTellsThem() throws Exception {
    rt.run(() -> {
      try (var scope = TaskScope.open(failAfter(3))) {
        for (int i = 0; i < 2; i++) {
          scope.spawn(() -> {
            throw new IOException("no");
          });
        }
        var good = scope.spawn(() -> 1);
        scope.join();
        assertThat(good.get()).isEqualTo(1);
        assertThat(scope.failures())
            .hasSize(2)
            .allSatisfy(f -> assertThat(f).hasRootCauseMessage("no"));
      }
    });
    assertThat(uncaught).isEmpty();
  }

  @Test
  void tenThousandJobs_64AtATime_failAfterTheThird_withTheRealReason() throws Exception {
    var begun = new AtomicInteger();
    rt.run(() -> {
      assertThatThrownBy(
              () -> {
                try (var scope = TaskScope.open(limit(64).and(failAfter(3)))) {
                  for (int i = 0; i < 10_000; i++) {
                    int job = i;
                    scope.spawn(
                        named("job " + job),
                        () -> {
                          begun.incrementAndGet();
                          Task.yieldNow().await();
                          if (job % 100 == 99) {
                            throw new IOException("job " + job);
                          }
                        });
                  }
                  scope.join();
                }
              })
          .satisfiesAnyOf(
              t -> assertThat(t).isInstanceOf(TaskFailedException.class),
              t ->
                  assertThat(t)
                      .isInstanceOf(CancelledException.class)
                      .hasCauseInstanceOf(TaskFailedException.class))
          .hasRootCauseInstanceOf(IOException.class);
    });
    assertThat(begun.get()).isLessThan(1000);
    assertThat(uncaught).isEmpty();
  }

  // --- supervise ---

  @Test
  void supervise_tellsTheHandler_andNobodyElse() throws Exception {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    rt.run(() -> {
      try (var scope =
          TaskScope.open(supervise((what, t) -> told.add(what + ": " + t.getMessage())))) {
        scope.spawn(
            named("bad"),
            () -> {
              throw new IOException("broken");
            });
        JoinHandle<Integer> good =
            scope.spawn(() -> {
              Task.yieldNow().await();
              return 5;
            });
        scope.join();
        assertThat(good.get()).isEqualTo(5);
      }
    });
    assertThat(told).containsExactly("bad: broken");
    assertThat(uncaught).isEmpty();
  }

  @Test
  void supervise_aHandlerThatThrows_isReported() throws Exception {
    rt.run(() -> {
      try (var scope =
          TaskScope.open(
              supervise((what, t) -> {
                throw new IllegalStateException("handler");
              }))) {
        scope.spawn(() -> {
          throw new IOException("broken");
        });
        scope.join();
      }
    });
    assertThat(uncaught).containsExactly("handler");
  }

  @Test
  void supervise_restarts_untilItWorks() throws Exception {
    var tries = new AtomicInteger();
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    rt.run(() -> {
      var policy =
          supervise(
              (what, t) -> told.add(what + ": " + t.getMessage()), Backoff.fixed(Duration.ZERO));
      try (var scope = TaskScope.open(policy)) {
        var actor =
            scope.spawn(
                named("actor"),
                () -> {
                  if (tries.incrementAndGet() < 4) {
                    throw new IOException("try " + tries);
                  }
                  return "up";
                });
        assertThat(actor.await()).isEqualTo("up");
        assertThatThrownBy(() -> scope.spawn(Futures.done()))
            .isInstanceOf(IllegalArgumentException.class);
        scope.join();
      }
    });
    assertThat(told).containsExactly("actor: try 1", "actor: try 2", "actor: try 3");
  }

  @Test
  void supervise_givesUp_andNeverRestartsErrorsOrCancellation() throws Exception {
    List<Object> told = Collections.synchronizedList(new ArrayList<>());
    var errors = new AtomicInteger();
    rt.run(() -> {
      var policy = supervise((what, t) -> told.add(t), Backoff.fixed(Duration.ZERO).limit(2));
      try (var scope = TaskScope.open(policy)) {
        scope.spawn(() -> {
          throw new IOException("again");
        });
        scope.join();
        assertThat(told).hasSize(3);
        told.clear();
        scope.spawn(() -> {
          errors.incrementAndGet();
          throw new AssertionError("never");
        });
        scope.join();
        assertThat(told).hasSize(1);
        var cancelled = scope.spawn(() -> Task.sleep(HOUR).await());
        cancelled.cancel();
        scope.join();
      }
    });
    assertThat(errors).hasValue(1);
    assertThat(told).hasSize(1);
  }

  // --- guard, drain, map ---

  @Test
  void guard_endsWithTheChildsFailure_ofItsOwnKind() throws Exception {
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> {
          Task.yieldNow().await();
          throw new IOException("child");
        });
        assertThatThrownBy(() -> scope.guard(Futures.pending()).await())
            .isInstanceOf(TaskFailedException.class)
            .hasRootCauseMessage("child");
      }
    });
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        scope.cancel();
        assertThatThrownBy(() -> scope.guard(Futures.pending()).await())
            .isInstanceOf(CancelledException.class)
            .hasNoCause();
      }
    });
    assertThat(uncaught).isEmpty();
  }

  @Test
  void drain_letsThemEnd_thenCancelsTheRest_andTakesNoMore() throws Exception {
    var clock = new ManualTimeSource(false);
    var first = new CompletableFuture<JoinHandle<Integer>>();
    try (var manual = BlitzRuntime.builder().workers(2).clock(clock).build()) {
      JoinHandle<Done> draining =
          manual.spawn(() -> {
            try (var scope = TaskScope.open(supervise((what, t) -> {}))) {
              var quick = scope.spawn(() -> 1);
              first.complete(quick);
              var stuck = scope.spawn(() -> Task.sleep(HOUR).await());
              assertThat(scope.drain(Duration.ofMillis(20))).isEqualTo(1);
              assertThat(quick.get()).isEqualTo(1);
              assertThat(stuck.isDone()).isTrue();
              assertThatThrownBy(() -> scope.spawn(() -> 2))
                  .isInstanceOf(IllegalStateException.class);
            }
            return Done.DONE;
          });
      Await.until(
          () -> first.join().isDone() && manual.stats().timers() == 2,
          "the quick one to end, the sleep and the limit to begin");
      clock.advance(Duration.ofMillis(21));
      draining.await();
    }
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        scope.spawn(() -> 1);
        assertThat(scope.drain(HOUR)).isZero();
      }
    });
  }

  @Test
  void drain_whileTheRuntimeCloses_waitsForTheChildren() throws Exception {
    Promise<Done> draining = Promise.create();
    Promise<Done> begun = Promise.create();
    var outcome = new CompletableFuture<Throwable>();
    var ended = new AtomicBoolean();
    try (var closing = BlitzRuntime.builder().workers(2).build()) {
      closing
          .spawn(() ->
              Task.shielded(() -> {
                try (var scope = TaskScope.open()) {
                  var closes = scope.spawn(Futures.pending());
                  scope.spawn(() ->
                      Task.shielded(() -> {
                        begun.complete(Done.DONE);
                        draining.future().await();
                        Task.yieldNow().await();
                        ended.set(true);
                      }));
                  Futures.outcome(closes).await(); // until the close cancels it
                  draining.complete(Done.DONE);
                  scope.drain(HOUR);
                } catch (Throwable t) {
                  outcome.complete(t);
                }
              }))
          .detach();
      begun.future().await();
      assertThat(closing.close(Timeouts.MEDIUM).clean()).isTrue();
    }
    assertThat(outcome.join()).isInstanceOf(CancelledException.class).hasNoSuppressedExceptions();
    assertThat(ended).isTrue();
  }

  @Test
  void joinAndDrain_ofWhatHasEnded_inAClosedRuntime_areNoCancel() {
    var closed = BlitzRuntime.builder().workers(1).build();
    try (var scope = TaskScope.open(closed);
        var drained = TaskScope.open(closed)) {
      var child = scope.spawn(() -> 1);
      var other = drained.spawn(() -> 2);
      scope.join();
      drained.join();
      closed.close(Timeouts.MEDIUM);
      scope.join(HOUR);
      assertThat(drained.drain(HOUR)).isZero();
      assertThat(child.get() + other.get()).isEqualTo(3);
    }
  }

  @Test
  void map_inOrder_soManyAtOnce() throws Exception {
    var running = new AtomicInteger();
    List<Integer> squares =
        rt.run(() ->
            TaskScope.map(
                IntStream.range(0, 200).boxed().toList(),
                5,
                i -> {
                  assertThat(running.incrementAndGet()).isLessThanOrEqualTo(5);
                  Task.yieldNow().await();
                  running.decrementAndGet();
                  return i * i;
                }));
    assertThat(squares).isEqualTo(IntStream.range(0, 200).map(i -> i * i).boxed().toList());
  }

  @Test
  void map_theFirstFailure_isTheReason_andEndsTheRest() throws Exception {
    var begun = new AtomicInteger();
    rt.run(() -> {
      assertThatThrownBy(() ->
              TaskScope.map(
                  IntStream.range(0, 10_000).boxed().toList(),
                  4,
                  i -> {
                    begun.incrementAndGet();
                    if (i == 10) {
                      throw new IOException("item 10");
                    }
                    Task.yieldNow().await();
                    return i;
                  }))
          .isInstanceOf(TaskFailedException.class)
          .hasRootCauseMessage("item 10");
    });
    assertThat(begun.get()).isLessThan(1000);
  }

  @Test
  void contradictions_areRefused() {
    assertThatThrownBy(() -> collect().and(failAfter(2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limit(1).and(limit(2))).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> limit(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(collect().and(limit(3))).hasToString("ScopePolicy[collect, limit(3)]");
  }

  // --- JoinSet ---

  @Test
  void joinSet_inTheOrderOfTheirEnds() throws Exception {
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        JoinSet<Integer> set = JoinSet.create();
        var slow = new CountDownLatch(1);
        set.add(
            scope.spawnBlocking(() -> {
              slow.await();
              return 1;
            }));
        set.add(scope.spawn(() -> 2));
        List<Integer> seen = new ArrayList<>();
        for (var task : set) {
          seen.add(task.get());
          slow.countDown();
        }
        assertThat(seen).containsExactly(2, 1);
        assertThat(set.next().await()).isEmpty();
        scope.join();
      }
    });
  }

  @Test
  void joinSet_aDroppedWait_losesNoTask() {
    for (int polls = 0; polls < 3; polls++) {
      JoinSet<Done> set = JoinSet.create();
      JoinHandle<Done> task = set.add(rt.spawn(Futures.pending()));
      var next = set.next();
      for (int i = 0; i < polls; i++) {
        assertThat(next.poll(NOBODY)).isNull();
      }
      task.cancel();
      Await.until(task::isDone, "its end");
      next.drop();
      assertThat(set.next().await()).isEqualTo(Optional.of(task));
      assertThat(set.size()).isZero();
    }
  }

  @Test
  void joinSet_manyWait_eachTaskComesOutOnce_andAllHearOfTheEnd() throws Exception {
    JoinSet<Integer> set = JoinSet.create();
    var seen = new AtomicInteger();
    rt.run(() -> {
      try (var scope = TaskScope.open()) {
        for (int i = 0; i < 300; i++) {
          set.add(scope.spawn(Task.yieldNow().map(done -> 1)));
        }
        for (int i = 0; i < 4; i++) {
          scope.spawn(() -> {
            for (var task : set) {
              seen.addAndGet(task.get());
            }
          });
        }
        scope.join();
      }
    });
    assertThat(seen).hasValue(300);
  }
}
