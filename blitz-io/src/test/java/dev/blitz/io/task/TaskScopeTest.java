package dev.blitz.io.task;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
class TaskScopeTest {
  private static final int ROUNDS = 300;

  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
  private BlitzRuntime rt = runtime(2);

  private BlitzRuntime runtime(int workers) {
    return BlitzRuntime.builder()
        .workers(workers)
        .uncaughtHandler((what, t) -> uncaught.add(String.valueOf(t.getMessage())))
        .build();
  }

  @BeforeEach
  void noFailureYet() {
    uncaught.clear();
  }

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(dev.blitz.testkit.Timeouts.MEDIUM).clean()).isTrue();
    assertThat(rt.stats().live()).isZero();
  }

  private static Future<Integer> fails(String message) {
    return Futures.failed(new IOException(message));
  }

  private static Future<Integer> failsLater(String message) {
    return Futures.lazy(Task::yieldNow).andThen(turn -> turn).andThen(d -> fails(message));
  }

  // --- On a thread of its own ---

  @Test
  void joined_endsWithTheLastChild() {
    try (var scope = TaskScope.open(rt)) {
      var gate = new CompletableFuture<Integer>();
      JoinHandle<Integer> a = scope.spawn(Futures.from(gate));
      JoinHandle<Integer> b = scope.spawn(named("b"), Futures.ready(2));
      JoinHandle<Integer> c = scope.spawnBlocking(() -> 3);
      assertThat(b.await()).isEqualTo(2);
      assertThat(b.name()).isEqualTo("b");
      assertThat(c.await()).isEqualTo(3);
      Await.until(() -> scope.running() == 1, "two ends");
      gate.complete(1);
      assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      assertThat(a.isDone()).isTrue();
      assertThat(scope.running()).isZero();
      assertThat(scope.isCancelled()).isFalse();
    }
  }

  @Test
  void joined_withoutChildren_endsAtOnce_andTheScopeStaysOpen() {
    try (var scope = TaskScope.open(rt)) {
      assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      assertThat(scope.spawn(Futures.ready(1)).await()).isEqualTo(1);
      assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      assertThat(scope.toString()).isEqualTo("TaskScope[open, 0 running]");
    }
  }

  @Test
  void firstFailure_cancelsTheSiblings_andIsThrownByJoined() {
    var dropped = new AtomicInteger();
    try (var scope = TaskScope.open(rt)) {
      List<JoinHandle<Object>> siblings = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        siblings.add(scope.spawn(Futures.pending().whenDone(dropped::incrementAndGet)));
      }
      scope.spawn(named("bad"), fails("first"));
      assertThatThrownBy(() -> scope.joined().await())
          .isInstanceOf(TaskFailedException.class)
          .hasMessageContaining("'bad' failed")
          .hasRootCauseMessage("first");
      assertThat(siblings).allMatch(h -> h.outcome() instanceof Outcome.Cancelled);
      assertThat(dropped).hasValue(20);
      assertThat(scope.isCancelled()).isTrue();
      assertThat(scope.token().isCancelled()).isTrue();
      assertThatThrownBy(() -> scope.spawn(Futures.done()))
          .isInstanceOf(CancelledException.class)
          .hasMessageContaining("cancelled");
      assertThatThrownBy(() -> scope.joined().await()).isInstanceOf(TaskFailedException.class);
    }
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void children_areInTheOrderOfTheirSpawns_whileTheyAreBeingCancelled() throws Exception {
    var pool = BlitzRuntime.builder().workers(1).blockingThreads(1).build();
    try (pool) {
      var busy = new CountDownLatch(1);
      var go = new CountDownLatch(1);
      JoinHandle<Done> before =
          pool.spawnBlocking(() -> {
            busy.countDown();
            go.await();
            return Done.DONE;
          });
      busy.await();
      var seen = new ArrayList<String>();
      var scope = TaskScope.open(pool);
      AutoCloseable look = () -> scope.children().forEach(child -> seen.add(child.name()));
      scope.spawnBlocking(named("a").and(SpawnOptions.owning(look)), () -> 1).detach();
      scope.spawn(named("b"), Futures.pending()).detach();
      scope.spawnBlocking(named("c"), () -> 3).detach();
      scope.cancel();
      assertThat(seen).containsExactly("a", "b", "c");
      go.countDown();
      assertThat(before.await()).isEqualTo(Done.DONE);
      scope.close();
    }
  }

  @Test
  void laterFailures_areSuppressed() throws Exception {
    var begun = new CountDownLatch(2);
    try (var scope = TaskScope.open(rt)) {
      for (String name : List.of("x", "y")) {
        scope.spawnBlocking(() -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw new AssertionError(name); // an Error is a failure even after a cancellation
          }
          return 1;
        });
      }
      begun.await(); // a call that has not begun would be cancelled without a trace
      scope.spawn(fails("first"));
      assertThatThrownBy(() -> scope.joined().await())
          .isInstanceOf(TaskFailedException.class)
          .hasRootCauseMessage("first")
          .satisfies(e ->
              assertThat(e.getSuppressed())
                  .hasSize(2)
                  .allMatch(s -> s.getCause() instanceof AssertionError));
    }
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void failureThatNobodyAsksFor_reachesTheUncaughtHandler() {
    try (var scope = TaskScope.open(rt, ScopePolicy.collect())) {
      scope.spawn(fails("lonely"));
      Await.until(() -> scope.running() == 0, "the child's end");
    }
    rt.close();
    assertThat(uncaught).containsExactly("lonely");
  }

  @Test
  void childCancelledByItsHandle_isNoFailure() {
    try (var scope = TaskScope.open(rt)) {
      var child = scope.spawn(Futures.pending());
      var other = scope.spawn(Task.yieldNow().map(d -> 5));
      child.cancel();
      assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      assertThat(other.await()).isEqualTo(5);
    }
  }

  @Test
  void cancel_endsAllChildren_andJoinedSaysSo() {
    try (var scope = TaskScope.open(rt)) {
      var child = scope.spawn(Futures.pending());
      var interrupted = new AtomicBoolean();
      var begun = new CountDownLatch(1);
      scope.spawnBlocking(() -> {
        begun.countDown();
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException e) {
          interrupted.set(true);
        }
        return Done.DONE;
      });
      awaitLatch(begun);
      assertThat(scope.cancel()).isTrue();
      assertThat(scope.cancel()).isFalse();
      assertThatThrownBy(() -> scope.joined().await()).isInstanceOf(CancelledException.class);
      assertThat(child.outcome()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(interrupted).isTrue();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    Await.until(() -> latch.getCount() == 0, "the latch");
  }

  @Test
  void close_cancelsWhatIsLeft_andWaitsForIt() {
    var dropped = new AtomicInteger();
    List<JoinHandle<Object>> children = new ArrayList<>();
    var scope = TaskScope.open(rt);
    for (int i = 0; i < 100; i++) {
      children.add(scope.spawn(Futures.pending().whenDone(dropped::incrementAndGet)));
    }
    assertThatThrownBy(scope::close).hasMessageContaining("without join()");
    assertThat(children).allMatch(JoinHandle::isDone);
    assertThat(dropped).hasValue(100);
    assertThatThrownBy(() -> scope.spawn(Futures.done()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    scope.close();
  }

  @Test
  void close_waitsForAShieldedChild_evenIfInterrupted() throws Exception {
    var gate = new CompletableFuture<Integer>();
    var stillInterrupted = new AtomicBoolean();
    var scope = TaskScope.open(rt);
    JoinHandle<Integer> child = scope.spawn(Task.shielded(Futures.from(gate)));
    Await.until(() -> rt.dump().size() == 1, "the child to wait");
    Thread closer =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              scope.close();
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    Await.untilWaiting(closer);
    assertThat(scope.running()).isEqualTo(1);
    gate.complete(1);
    closer.join();
    assertThat(child.isDone()).isTrue();
    assertThat(stillInterrupted).isTrue();
  }

  @Test
  void childrenMaySpawnChildren() {
    var ended = new AtomicInteger();
    try (var scope = TaskScope.open(rt)) {
      scope.spawn(tree(scope, 5, ended));
      scope.joined().await();
      assertThat(ended).hasValue(63);
    }
  }

  private static Future<Done> tree(TaskScope scope, int depth, AtomicInteger ended) {
    return Task.yieldNow()
        .map(d -> {
          if (depth > 0) {
            scope.spawn(tree(scope, depth - 1, ended));
            scope.spawn(tree(scope, depth - 1, ended));
          }
          ended.incrementAndGet();
          return d;
        });
  }

  @Test
  void childThatWaitsForItsScope_isTold_howeverSoonItDoes() {
    for (int round = 0; round < ROUNDS; round++) {
      try (var scope = TaskScope.open(rt)) {
        scope.spawn(named("me"), Futures.lazy(scope::joined).andThen(joined -> joined));
        assertThatThrownBy(() -> scope.joined().await())
            .hasRootCauseInstanceOf(IllegalStateException.class)
            .hasStackTraceContaining("me waits for the scope it belongs to");
      }
    }
  }

  @Test
  @SuppressWarnings("try") // closing inside the block is the misuse
  void blockingChildThatWaitsForItsScope_isTold_howeverSoonItDoes() {
    for (int round = 0; round < ROUNDS; round++) {
      try (var scope = TaskScope.open(rt, ScopePolicy.collect())) {
        var waits = scope.spawnBlocking(() -> scope.joined().await());
        assertThatThrownBy(waits::await)
            .hasRootCauseInstanceOf(IllegalStateException.class)
            .hasStackTraceContaining("it would wait for itself");
        var closes =
            scope.spawnBlocking(() -> {
              scope.close();
              return 1;
            });
        assertThatThrownBy(closes::await)
            .hasRootCauseInstanceOf(IllegalStateException.class)
            .hasStackTraceContaining("it would wait for itself");
        assertThat(scope.isCancelled()).isFalse();
      }
    }
  }

  @Test
  void blockingTask_mayUseAScopeOfItsOwn() {
    int sum =
        rt.spawnBlocking(
                () -> {
                  try (var scope = TaskScope.open()) {
                    JoinHandle<Integer> a = scope.spawn(Futures.ready(1));
                    JoinHandle<Integer> b = scope.spawn(Futures.ready(2));
                    scope.joined().await();
                    return a.await() + b.await();
                  }
                })
            .await();
    assertThat(sum).isEqualTo(3);
  }

  @Test
  void open_outsideARuntime_saysWhatToDo() {
    assertThatThrownBy(TaskScope::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a runtime");
    assertThatThrownBy(() -> TaskScope.within(s -> Futures.done()).await())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless user does
  void nulls_areRefused_andCountNothing() {
    try (var scope = TaskScope.open(rt)) {
      assertThatThrownBy(() -> scope.spawn((Future<Integer>) null))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> scope.spawn(named(null), Futures.done()))
          .isInstanceOf(NullPointerException.class);
      assertThat(scope.running()).isZero();
    }
    assertThatThrownBy(() -> TaskScope.open((BlitzRuntime) null))
        .isInstanceOf(NullPointerException.class);
  }

  // --- Collecting ---

  @Test
  void collecting_keepsEveryOutcome_inTheOrderOfSpawns() {
    try (var scope = TaskScope.open(rt, ScopePolicy.collect())) {
      scope.spawn(Task.yieldNow().map(d -> 1));
      scope.spawn(fails("two"));
      scope.spawn(Futures.pending()).cancel();
      scope.spawn(Task.yieldNow().map(d -> 4));
      scope.joined().await();
      assertThat(scope.isCancelled()).isFalse();
      var outcomes = scope.outcomes();
      assertThat(outcomes).hasSize(4);
      assertThat(outcomes.get(0)).isEqualTo(new Outcome.Success<>(1));
      assertThat(outcomes.get(1))
          .isInstanceOfSatisfying(
              Outcome.Failure.class, f -> assertThat(f.cause()).hasMessage("two"));
      assertThat(outcomes.get(2)).isInstanceOf(Outcome.Cancelled.class);
      assertThat(outcomes.get(3)).isEqualTo(new Outcome.Success<>(4));
    }
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void outcomes_tooEarlyOrOfAnotherKindOfScope_areRefused() {
    try (var scope = TaskScope.open(rt, ScopePolicy.collect())) {
      scope.spawn(Futures.pending());
      assertThatThrownBy(scope::outcomes)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("joined()");
      scope.cancel();
      assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      assertThat(scope.outcomes()).hasSize(1);
    }
    try (var scope = TaskScope.open(rt)) {
      assertThatThrownBy(scope::outcomes).hasMessageContaining("collecting");
    }
  }

  // --- Within ---

  @Test
  void within_yieldsTheBodysValue_afterAllChildren() throws Exception {
    var childEnded = new AtomicBoolean();
    var gate = new CompletableFuture<Integer>();
    var outer =
        rt.spawn(
            TaskScope.within(scope -> {
              scope.spawn(Futures.from(gate).whenDone(() -> childEnded.set(true)));
              return Futures.ready("value");
            }));
    Await.until(() -> rt.dump().size() == 2, "body's end and a waiting child");
    assertThat(outer.isDone()).isFalse();
    assertThat(rt.dump().toString()).contains("the children of TaskScope[open, 1 running]");
    gate.complete(1);
    assertThat(outer.await()).isEqualTo("value");
    assertThat(childEnded).isTrue();
  }

  @Test
  void within_readsAsInTheGuide() throws Exception {
    int sum =
        Blitz.run(
            TaskScope.within(scope -> {
              JoinHandle<Integer> a = scope.spawn(Futures.ready(1));
              JoinHandle<Integer> b = scope.spawn(Task.yieldNow().map(d -> 2));
              return Futures.join(a, b).map(both -> both.first() + both.second());
            }));
    assertThat(sum).isEqualTo(3);
  }

  @Test
  void within_bodyThatCancels_keepsItsValue() throws Exception {
    var child = new AtomicReference<JoinHandle<?>>();
    String value =
        rt.run(
            TaskScope.within(scope -> {
              child.set(scope.spawn(Futures.pending()));
              return Task.yieldNow()
                  .map(d -> {
                    scope.cancel();
                    return "first result";
                  });
            }));
    assertThat(value).isEqualTo("first result");
    assertThat(child.get().outcome()).isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void within_bodyThatThrows_cancelsTheChildren_thenThrows() {
    for (boolean atOnce : new boolean[] {true, false}) {
      var child = new AtomicReference<JoinHandle<?>>();
      assertThatThrownBy(() ->
              rt.run(
                  TaskScope.within(scope -> {
                    child.set(scope.spawn(Futures.pending()));
                    if (atOnce) {
                      throw new IOException("body");
                    }
                    return failsLater("body");
                  })))
          .isInstanceOf(IOException.class)
          .hasMessage("body");
      assertThat(child.get().outcome()).isInstanceOf(Outcome.Cancelled.class);
    }
  }

  @Test
  void within_childThatFails_dropsTheBody_andCancelsTheOthers() {
    var bodyDropped = new AtomicBoolean();
    var sibling = new AtomicReference<JoinHandle<?>>();
    assertThatThrownBy(() ->
            rt.run(
                TaskScope.within(scope -> {
                  sibling.set(scope.spawn(Futures.pending()));
                  scope.spawn(named("bad"), Task.yieldNow().andThen(d -> fails("child")));
                  return Futures.pending().whenDone(() -> bodyDropped.set(true));
                })))
        .isInstanceOf(TaskFailedException.class)
        .hasMessageContaining("'bad' failed")
        .hasRootCauseMessage("child");
    assertThat(bodyDropped).isTrue();
    assertThat(sibling.get().outcome()).isInstanceOf(Outcome.Cancelled.class);
  }

  @Test
  void within_childThatFailsAfterTheBody_failsTheScope() {
    assertThatThrownBy(() ->
            rt.run(
                TaskScope.within(scope -> {
                  scope.spawn(
                      Task.yieldNow().andThen(d -> Task.yieldNow()).andThen(d -> fails("late")));
                  return Futures.ready(1);
                })))
        .hasRootCauseMessage("late");
  }

  @Test
  void within_failuresOfBodyAndChild_areBothThere() {
    assertThatThrownBy(() ->
            rt.run(
                TaskScope.within(scope -> {
                  JoinHandle<Integer> child = scope.spawn(fails("child"));
                  Await.until(child::isDone, "the child's end, on the other worker");
                  throw new IOException("body");
                })))
        .hasMessage("body")
        .satisfies(e ->
            assertThat(e.getSuppressed())
                .anyMatch(s -> s instanceof TaskFailedException t && causeSays(t, "child")));
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  private static boolean causeSays(TaskFailedException e, String message) {
    Throwable cause = e.getCause();
    return cause != null && message.equals(cause.getMessage());
  }

  @Test
  void within_scopeCancelledFromOutside_throwsCancelled() {
    var published = new CompletableFuture<TaskScope>();
    for (boolean collecting : new boolean[] {false, true}) {
      var scopes = collecting ? new CompletableFuture<TaskScope>() : published;
      dev.blitz.io.future.ThrowingFunction<TaskScope, Future<Integer>> body =
          scope -> {
            scope.spawn(Futures.pending());
            scopes.complete(scope);
            return Futures.pending();
          };
      var outer =
          rt.spawn(
              collecting ? TaskScope.within(ScopePolicy.collect(), body) : TaskScope.within(body));
      scopes.join().cancel();
      assertThatThrownBy(outer::await).hasCauseInstanceOf(CancelledException.class);
    }
  }

  @Test
  void withinCollecting_letsEveryoneEnd() throws Exception {
    List<Outcome<?>> outcomes =
        rt.run(
            TaskScope.within(
                ScopePolicy.collect(),
                scope -> {
                  scope.spawn(fails("a"));
                  scope.spawn(Task.yieldNow().map(d -> 2));
                  return scope.joined().map(d -> scope.outcomes());
                }));
    assertThat(outcomes).hasSize(2);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Success<>(2));
  }

  @Test
  void within_scopeUsedAfterItsEnd_isClosed() throws Exception {
    var kept = new AtomicReference<TaskScope>();
    rt.run(
        TaskScope.within(scope -> {
          kept.set(scope);
          return Futures.done();
        }));
    assertThatThrownBy(() -> kept.get().spawn(Futures.done()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void within_droppedAtEveryPoll_cancelsItsChildren() throws Exception {
    for (int polls = 0; polls < 6; polls++) {
      var scopes = new AtomicReference<TaskScope>();
      var bodyDrops = new AtomicInteger();
      var children = new ArrayList<JoinHandle<?>>();
      int stop = polls;
      rt.run(
          new PollThenDrop(
              TaskScope.within(scope -> {
                scopes.set(scope);
                children.add(scope.spawn(Futures.pending()));
                // Three polls of the body, then the wait for a child that never ends.
                return Task.yieldNow()
                    .andThen(d -> Task.yieldNow())
                    .map(d -> 1)
                    .whenDone(bodyDrops::incrementAndGet);
              }),
              stop));
      if (polls == 0) {
        assertThat(scopes.get()).isNull();
        continue;
      }
      Await.until(() -> scopes.get().running() == 0, "the children's end");
      assertThat(bodyDrops).hasValue(1);
      assertThat(children.getFirst().outcome()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(scopes.get().toString()).isEqualTo("TaskScope[closed, 0 running]");
    }
  }

  /** Polls a future so many times, a turn each, then drops it. */
  private static final class PollThenDrop implements Future<Done> {
    private final Future<?> inner;
    private int left;

    PollThenDrop(Future<?> inner, int polls) {
      this.inner = inner;
      this.left = polls;
    }

    @Override
    @SuppressWarnings("NullAway") // null means pending
    public Done poll(Context cx) throws Exception {
      if (left-- > 0) {
        assertThat(inner.poll(cx)).isNull();
        cx.waker().wake();
        return null;
      }
      inner.drop();
      return Done.DONE;
    }
  }

  @Test
  void cancelOfTheSurroundingTask_cancelsTheChildren_whichTheRuntimeStillCounts() {
    var gate = new CompletableFuture<Integer>();
    var scopes = new CompletableFuture<TaskScope>();
    var outer =
        rt.spawn(
            TaskScope.within(scope -> {
              scope.spawn(Task.shielded(Futures.from(gate)));
              scopes.complete(scope);
              return Futures.pending();
            }));
    Await.until(() -> rt.dump().size() == 2, "both to wait");
    outer.cancel();
    assertThatThrownBy(outer::await).isInstanceOf(CancelledException.class);
    assertThat(scopes.join().running()).as("its shield holds").isEqualTo(1);
    assertThat(rt.stats().live()).isPositive();
    gate.complete(1);
    Await.until(() -> scopes.join().running() == 0, "the child's end");
  }

  // --- Inside a poll ---

  @Test
  void close_insideAPoll_refusesToWait_butCancels() {
    var child = new AtomicReference<JoinHandle<?>>();
    assertThatThrownBy(() ->
            rt.run(
                Futures.lazy(() -> {
                  try (var scope = TaskScope.open()) {
                    child.set(scope.spawn(Futures.pending()));
                  }
                  return 1;
                })))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("cannot wait for 1 children")
        .hasMessageContaining("TaskScope.within");
    assertThatThrownBy(() -> child.get().await()).isInstanceOf(CancelledException.class);
  }

  @Test
  void close_insideAPoll_afterJoined_isFine() throws Exception {
    var result =
        rt.run(
            Futures.lazy(TaskScope::open)
                .andThen(scope -> {
                  scope.spawn(Task.yieldNow());
                  return scope
                      .joined()
                      .map(d -> {
                        scope.close();
                        return "closed";
                      });
                }));
    assertThat(result).isEqualTo("closed");
  }

  @Test
  void joined_droppedAtEveryPoll_leavesNoWaiter() throws Exception {
    for (int polls = 0; polls < 3; polls++) {
      try (var scope = TaskScope.open(rt)) {
        scope.spawn(Futures.pending());
        rt.run(new PollThenDrop(scope.joined(), polls));
        var wakes = new AtomicInteger();
        Future<?> joined = scope.joined();
        for (int i = 0; i < polls; i++) {
          assertThat(joined.poll(Context.of(wakes::incrementAndGet))).isNull();
        }
        joined.drop();
        scope.cancel();
        Await.until(() -> rt.stats().live() == 0, "the child's end");
        assertThat(wakes).as("wakes of a future that was dropped").hasValue(0);
      }
    }
  }

  // --- Races ---

  @Test
  void spawnAgainstCancel_noChildSurvives() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var scope = TaskScope.open(rt);
      List<JoinHandle<?>> children = new ArrayList<>();
      Race.run(
          i -> {
            try {
              for (int n = 0; n < 50; n++) {
                children.add(scope.spawn(Futures.pending()));
              }
            } catch (IllegalStateException e) {
              // closed or cancelled: the other one was quicker
            }
          },
          i -> scope.cancel());
      scope.close();
      assertThat(children).allMatch(JoinHandle::isDone);
      assertThat(scope.running()).isZero();
    }
  }

  @Test
  void failuresAgainstEachOther_oneIsFirst_allAreShown() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      try (var scope = TaskScope.open(rt)) {
        var gate = new CompletableFuture<Integer>();
        List<JoinHandle<?>> children = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          children.add(scope.spawn(Futures.from(gate).andThen(v -> fails("same"))));
        }
        gate.complete(1);
        assertThatThrownBy(() -> scope.joined().await())
            .isInstanceOf(TaskFailedException.class)
            .satisfies(e ->
                assertThat(1 + e.getSuppressed().length)
                    .isEqualTo(
                        (int)
                            children.stream()
                                .filter(c -> c.outcome() instanceof Outcome.Failure)
                                .count()));
      }
    }
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void joinedAgainstTheLastEnd_neverHangs() throws Exception {
    for (int round = 0; round < 20 * ROUNDS; round++) {
      try (var scope = TaskScope.open(rt)) {
        scope.spawn(Task.yieldNow());
        scope.spawn(Futures.done());
        assertThat(scope.joined().await()).isEqualTo(Done.DONE);
      }
    }
  }

  @Test
  void cancelOfNestedScopes_whileTheyAreBuilt() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var outer = rt.spawn(nest(4));
      Race.run(i -> outer.cancel(), i -> Thread.onSpinWait());
      assertThatThrownBy(outer::await).isInstanceOf(RuntimeException.class);
    }
    Await.until(() -> rt.stats().live() == 0, "the end of all");
  }

  private static Future<Integer> nest(int depth) {
    return depth == 0
        ? Futures.pending()
        : TaskScope.within(scope -> {
          scope.spawn(Futures.pending());
          return scope.spawn(nest(depth - 1));
        });
  }

  // --- A runtime that closes ---

  @Test
  void spawn_onAClosedRuntime_isRefused_andCountsNothing() {
    var scope = TaskScope.open(rt);
    rt.close();
    assertThatThrownBy(() -> scope.spawn(Futures.done()))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(scope.running()).isZero();
    assertThat(scope.joined().await()).isEqualTo(Done.DONE);
    scope.close();
  }

  @Test
  void closeOfTheRuntime_endsTheScope() {
    var scope = TaskScope.open(rt);
    var child = scope.spawn(Futures.pending());
    Await.until(() -> rt.dump().size() == 1, "the child to wait");
    rt.close();
    assertThat(child.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThatThrownBy(() -> scope.joined().await()).isInstanceOf(CancelledException.class);
    scope.close();
  }

  // --- Memory ---

  @Test
  void longLivedScope_forgetsChildrenThatEnded() throws Exception {
    try (var scope = TaskScope.open(rt)) {
      spawnMany(scope, 10_000);
      long before = Memory.usedHeapAfterCollection();
      spawnMany(scope, 300_000);
      assertThat(Memory.usedHeapAfterCollection() - before).isLessThan(8_000_000);
    }
  }

  private static void spawnMany(TaskScope scope, int n) {
    for (int i = 0; i < n; i++) {
      scope.spawn(Futures.done());
      if (i % 1_000 == 0) {
        scope.joined().await();
      }
    }
    scope.joined().await();
  }

  @Test
  void aScope_isNoRuntimeForAnother() {
    try (var outer = TaskScope.open(rt)) {
      assertThatThrownBy(() -> TaskScope.open(outer))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs a runtime");
    }
  }
}
