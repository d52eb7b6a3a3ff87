package dev.blitz.io;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Strict
class BlitzRuntimeTest {

  @Test
  void run_returnsTheResult_andLeavesNothing() throws Exception {
    assertThat(Blitz.run(Futures.lazy(() -> 6 * 7))).isEqualTo(42);
  }

  @Test
  void run_throwsWhatTheFutureThrows() {
    assertThatThrownBy(() -> Blitz.run(Futures.failed(new java.io.IOException("no"))))
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("no");
  }

  @Test
  void run_insideATask_isRefused() {
    assertThatThrownBy(() -> Blitz.run(Futures.lazy(() -> Blitz.run(Futures.done()))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("inside a task");
  }

  @Test
  void await_insidePoll_isRefused() {
    assertThatThrownBy(() -> Blitz.run(Futures.lazy(() -> Futures.done().await())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("await() would block worker");
  }

  @Test
  void current_outsideARuntime_saysWhatToDo() {
    assertThatThrownBy(() -> Task.spawn(Futures.done()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Blitz.run");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 65, Integer.MAX_VALUE})
  void workers_outOfRange_areRefused(int workers) {
    assertThatThrownBy(() -> BlitzRuntime.builder().workers(workers))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 64");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64})
  void manyTasks_allEnd(int workers) throws Exception {
    try (var rt = BlitzRuntime.builder().workers(workers).build()) {
      List<JoinHandle<Integer>> handles = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        int n = i;
        handles.add(rt.spawn(Task.yieldNow().map(d -> n)));
      }
      long sum = 0;
      for (var h : handles) {
        sum += h.await();
      }
      assertThat(sum).isEqualTo(10_000L * 9_999 / 2);
      assertQuiet(rt);
    }
  }

  /** All idle counters are zero at quiescence. */
  private static void assertQuiet(BlitzRuntime rt) {
    Await.until(
        () -> {
          var s = rt.stats();
          return s.live() == 0 && s.searching() == 0 && s.parked() == s.workers().size();
        },
        "quiescence");
  }

  @Test
  void spawnInsideATask_runsBoth() throws Exception {
    var future =
        Futures.lazy(
                () -> {
                  JoinHandle<Integer> a = Task.spawn(Futures.ready(1));
                  JoinHandle<Integer> b = Task.spawn(Futures.ready(2));
                  return Futures.join(a, b);
                })
            .andThen(both -> both)
            .map(pair -> pair.first() + pair.second());
    assertThat(Blitz.run(future)).isEqualTo(3);
  }

  @Test
  void wakeFromOutside_reachesAParkedWorker() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      for (int i = 0; i < 1_000; i++) {
        var stage = new CompletableFuture<Integer>();
        var task = rt.spawn(Futures.from(stage));
        stage.complete(i);
        assertThat(task.await()).isEqualTo(i);
      }
    }
  }

  @Test
  void cancel_ofAnIdleTask_dropsItsFuture() {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var dropped = new AtomicBoolean();
      var task = rt.spawn(Futures.pending().whenDone(() -> dropped.set(true)));
      Await.until(() -> rt.dump().size() == 1, "the task to be idle");
      assertThat(rt.dump().getFirst()).contains("nothing (Futures.pending)");
      assertThat(task.cancel()).isTrue();
      assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
      assertThat(task.cancel()).isFalse();
      assertThat(dropped).isTrue();
      assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
    }
  }

  @Test
  void cancel_ofAShieldedTask_waitsForTheShield() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var gate = new CompletableFuture<Integer>();
      var afterShield = new AtomicBoolean();
      var task =
          rt.spawn(
              Task.shielded(Futures.from(gate))
                  .andThen(v -> {
                    afterShield.set(true);
                    return Futures.pending();
                  }));
      Await.until(() -> rt.dump().size() == 1, "the task to be idle");
      assertThat(task.cancel()).isTrue();
      assertThat(task.isDone()).isFalse();
      gate.complete(1);
      assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
      assertThat(afterShield).isTrue();
    }
  }

  @Test
  void failure_arrivesAtTheJoiner_withBothStacks() {
    try (var rt = BlitzRuntime.create()) {
      JoinHandle<Done> task = rt.spawn(named("broken"), Futures.lazy(BlitzRuntimeTest::fail));
      assertThatThrownBy(() -> join(task))
          .isInstanceOf(TaskFailedException.class)
          .hasMessageContaining("'broken'")
          .satisfies(e -> assertThat(e.getStackTrace()).anyMatch(f -> isOurs(f, "join")))
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .satisfies(e -> assertThat(e.getStackTrace()).anyMatch(f -> isOurs(f, "fail")))
          .satisfies(e -> assertThat(e.getStackTrace()).noneMatch(f -> isOurs(f, "join")));
      assertThatThrownBy(task::await).isInstanceOf(TaskFailedException.class);
    }
  }

  private static Done fail() {
    throw new IllegalArgumentException("x");
  }

  private static Done join(JoinHandle<Done> task) {
    return task.await();
  }

  private static boolean isOurs(StackTraceElement frame, String method) {
    return frame.getClassName().equals(BlitzRuntimeTest.class.getName())
        && frame.getMethodName().equals(method);
  }

  @Test
  void failure_thatNobodyJoins_reachesTheHandlerOnce() {
    var told = new ArrayList<String>();
    try (var rt =
        BlitzRuntime.builder().uncaughtHandler((what, t) -> told.add(t.getMessage())).build()) {
      rt.spawn(Futures.failed(new Exception("a")));
      var detached = rt.spawn(Futures.failed(new Exception("b")));
      detached.detach();
      detached.detach();
      var joined = rt.spawn(Futures.failed(new Exception("c")));
      assertThatThrownBy(joined::await).hasRootCauseMessage("c");
    }
    assertThat(told).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void errorsInPoll_stayInTheTask() {
    try (var rt = BlitzRuntime.builder().workers(1).uncaughtHandler((w, t) -> {}).build()) {
      var task =
          rt.spawn(
              (Future<Integer>)
                  cx -> {
                    throw new StackOverflowError("deep");
                  });
      assertThatThrownBy(task::await).hasCauseInstanceOf(StackOverflowError.class);
      assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
    }
  }

  @Test
  void nullFromAMapper_namesTheMapper() {
    assertThatThrownBy(() -> Blitz.run(Futures.ready(1).map(BlitzRuntimeTest::nothing)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("map function");
  }

  @SuppressWarnings({"NullAway", "unused"}) // what a careless user does
  private static Integer nothing(Integer n) {
    return null;
  }

  @Test
  void close_resolvesTasksInEveryState() throws Exception {
    var inPoll = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    List<JoinHandle<?>> handles = new ArrayList<>();
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      handles.add(rt.spawn(Futures.pending()));
      handles.add(rt.spawn(Futures.from(new CompletableFuture<Integer>())));
      handles.add(
          rt.spawn(
              Futures.lazy(() -> {
                inPoll.countDown();
                goOn.await();
                return Done.DONE;
              })));
      inPoll.await();
      for (int i = 0; i < 1_000; i++) {
        handles.add(rt.spawn(Futures.pending())); // queued: the only worker is busy
      }
      handles.add(rt.spawnBlocking(() -> Done.DONE));
      goOn.countDown();
    }
    assertThat(handles).allMatch(JoinHandle::isDone);
  }

  @Test
  void spawn_onAClosedRuntime_isRefused() {
    var rt = BlitzRuntime.builder().name("gone").build();
    rt.close();
    assertThatThrownBy(() -> rt.spawn(Futures.done()))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("'gone' is closed");
    assertThatThrownBy(() -> rt.spawnBlocking(() -> 1))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(rt.close(Timeouts.SHORT).clean()).isTrue();
  }

  @Test
  void close_pastItsDeadline_reportsTheStack() throws Exception {
    var inPoll = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var rt = BlitzRuntime.builder().workers(1).build();
    var task =
        rt.spawn(
            Futures.lazy(() -> {
              inPoll.countDown();
              goOn.await();
              return Done.DONE;
            }));
    inPoll.await();
    var report = rt.close(java.time.Duration.ofMillis(50));
    assertThat(report.clean()).isFalse();
    assertThat(report.toString()).contains("CountDownLatch.await");
    goOn.countDown();
    assertThat(task.await()).isEqualTo(Done.DONE);
    Await.until(() -> rt.stats().live() == 0, "the task's end");
  }

  @Test
  void yieldingTasks_takeTurns() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var order = new ArrayList<Integer>();
      rt.run(
          Futures.lazy(
                  () -> {
                    List<JoinHandle<Done>> tasks = new ArrayList<>();
                    for (int id = 0; id < 3; id++) {
                      tasks.add(Task.spawn(new Turns(id, order)));
                    }
                    return Futures.joinAll(tasks);
                  })
              .andThen(all -> all));
      assertThat(order.subList(0, 3)).doesNotHaveDuplicates();
      assertThat(order.subList(3, 6)).doesNotHaveDuplicates();
    }
  }

  private static final class Turns implements Future<Done> {
    private final int id;
    private final List<Integer> order;
    private int turns;

    Turns(int id, List<Integer> order) {
      this.id = id;
      this.order = order;
    }

    @Override
    public Done poll(dev.blitz.io.future.Context cx) {
      order.add(id);
      if (++turns == 5) {
        return Done.DONE;
      }
      cx.waker().wake();
      return pendingDone();
    }

    @SuppressWarnings("NullAway") // null means pending
    private static Done pendingDone() {
      return null;
    }
  }

  @Test
  void alwaysReadyLoop_yieldsByItsBudget() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var rounds = new AtomicInteger();
      var stop = new AtomicBoolean();
      var loop =
          rt.spawn(
              Futures.loop(() -> {
                rounds.incrementAndGet();
                return stop.get() ? Futures.stop() : Futures.more();
              }));
      // The only worker is in the loop; this still gets its turn.
      rt.run(
          Futures.lazy(() -> {
            stop.set(true);
            return Done.DONE;
          }));
      loop.await();
      assertThat(rt.stats().workers().getFirst().forcedYields()).isPositive();
    }
  }

  @Test
  void workersThatCannotStart_refuseTheTask() {
    var rt =
        new RuntimeBuilder()
            .threadStarter(t -> {
              throw new OutOfMemoryError("unable to create native thread");
            })
            .build();
    assertThatThrownBy(() -> rt.spawn(Futures.done()))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("cannot start");
    assertThatThrownBy(() -> rt.spawnBlocking(() -> 1))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(rt.close(Timeouts.SHORT).clean()).isTrue();
  }

  @Test
  void spawn_moreThanARingHolds_allRun() throws Exception {
    int count = 10_000;
    var ran = new AtomicInteger();
    try (BlitzRuntime runtime = BlitzRuntime.builder().workers(1).build()) {
      List<JoinHandle<Integer>> handles =
          runtime.run(
              Futures.lazy(() -> {
                List<JoinHandle<Integer>> spawned = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                  spawned.add(Task.spawn(Futures.lazy(ran::incrementAndGet)));
                }
                return spawned;
              }));
      for (JoinHandle<Integer> handle : handles) {
        handle.await();
      }
    }
    assertThat(ran).hasValue(count);
  }
}
