package dev.blitz.io.task;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.Selected;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class TaskGroupOpsTest {
  private static final int ROUNDS = 300;

  private final List<String> uncaught = Collections.synchronizedList(new ArrayList<>());
  private final BlitzRuntime rt =
      BlitzRuntime.builder()
          .workers(2)
          .uncaughtHandler((what, t) -> uncaught.add(String.valueOf(t.getMessage())))
          .build();

  @AfterEach
  void closeRuntime() {
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  private JoinHandle<Integer> fails(String message) {
    return rt.spawn(Futures.failed(new IOException(message)));
  }

  private JoinHandle<Integer> never() {
    return rt.spawn(Futures.pending());
  }

  private JoinHandle<Integer> later(int value) {
    return rt.spawn(Task.yieldNow().map(d -> value));
  }

  // --- joinAll ---

  @Test
  void joinAll_yieldsResultsInTheOrderOfTheList() {
    var last = new CompletableFuture<Integer>();
    List<JoinHandle<Integer>> tasks =
        List.of(rt.spawn(Futures.from(last)), later(2), rt.spawnBlocking(() -> 3), later(4));
    var all = rt.spawn(Task.joinAll(tasks));
    assertThat(tasks.get(3).await()).isEqualTo(4);
    last.complete(1);
    assertThat(all.await()).containsExactly(1, 2, 3, 4);
    assertThat(Task.joinAll(tasks).await()).as("of ended tasks").containsExactly(1, 2, 3, 4);
  }

  @Test
  void joinAll_ofNothingOrTheSameTaskTwice() {
    assertThat(Task.joinAll(List.<JoinHandle<Integer>>of()).await()).isEmpty();
    var task = later(7);
    assertThat(Task.joinAll(List.of(task, task)).await()).containsExactly(7, 7);
  }

  @Test
  void joinAll_throwsTheFirstFailure_andTheOthersRunOn() {
    var gate = new CompletableFuture<Integer>();
    var waits = rt.spawn(Futures.from(gate));
    assertThatThrownBy(() -> Task.joinAll(List.of(waits, fails("bad"), later(1))).await())
        .isInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("bad");
    assertThat(waits.isDone()).isFalse();
    gate.complete(1);
    assertThat(waits.await()).isEqualTo(1);
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void joinAll_aCancelledTask_endsIt() {
    var cancelled = never();
    var waits = never();
    var all = rt.spawn(Task.joinAll(List.of(waits, cancelled)));
    cancelled.cancel();
    assertThatThrownBy(all::await).hasCauseInstanceOf(CancelledException.class);
    assertThat(waits.isDone()).isFalse();
  }

  @Test
  void joinAll_failureAfterTheFirst_isNotSilent() {
    var gate = new CompletableFuture<Integer>();
    JoinHandle<Integer> second =
        rt.spawn(Futures.from(gate).andThen(v -> Futures.failed(new IOException("second"))));
    assertThatThrownBy(() -> Task.joinAll(List.of(second, fails("first"))).await())
        .hasRootCauseMessage("first");
    gate.complete(1);
    Await.until(second::isDone, "the second failure");
    rt.close();
    assertThat(uncaught).containsExactly("second");
  }

  @Test
  void joinAll_droppedAtEveryPoll_leavesTheTasksAlone() throws Exception {
    for (int polls = 0; polls < 4; polls++) {
      var tasks = List.of(never(), never());
      var all = Task.joinAll(tasks);
      for (int i = 0; i < polls; i++) {
        assertThat(all.poll(Context.of(() -> {}))).isNull();
      }
      all.drop();
      assertThat(tasks).noneMatch(JoinHandle::isDone);
      tasks.forEach(JoinHandle::cancel);
    }
  }

  @Test
  void joinAll_polledAfterItsEnd_isRefused() {
    var all = Task.joinAll(List.of(later(1)));
    assertThat(all.await()).containsExactly(1);
    assertThatThrownBy(() -> all.poll(Context.of(() -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("polled after completion");
  }

  @Test
  void joinAll_looksAtEachTaskOnce() throws Exception {
    int n = 20_000;
    List<JoinHandle<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      tasks.add(later(i));
    }
    long sum = rt.run(Task.joinAll(tasks)).stream().mapToLong(i -> i).sum();
    assertThat(sum).isEqualTo((long) n * (n - 1) / 2);
  }

  @Test
  void joinAll_againstTheEndsOfItsTasks_missesNone() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var gates = List.of(new CompletableFuture<Integer>(), new CompletableFuture<Integer>());
      List<JoinHandle<Integer>> tasks = new ArrayList<>();
      gates.forEach(g -> tasks.add(rt.spawn(Futures.from(g))));
      Race.run(
          i -> gates.get(0).complete(0),
          i -> gates.get(1).complete(1),
          i -> assertThat(Task.joinAll(tasks).await()).containsExactly(0, 1));
    }
  }

  // --- tryJoinAll ---

  @Test
  void tryJoinAll_yieldsHowEachEnded() {
    var cancelled = never();
    cancelled.cancel();
    var outcomes = Task.tryJoinAll(List.of(later(1), fails("two"), cancelled)).await();
    assertThat(outcomes.get(0)).isEqualTo(new Outcome.Success<>(1));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Failure.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Cancelled.class);
    rt.close();
    assertThat(uncaught).isEmpty();
  }

  // --- race ---

  /** The losers are cancelled. */
  private static <T> UncheckedFuture<T> race(List<JoinHandle<T>> tasks) {
    return Futures.race(tasks.stream().map(JoinHandle::cancelOnDrop).toList());
  }

  @Test
  void race_ofPlainHandles_leavesTheLosersRunning() {
    var loser = never();
    assertThat(Futures.race(List.of(loser, later(3))).await()).isEqualTo(3);
    assertThat(loser.isDone()).isFalse();
    loser.cancel();
  }

  @Test
  void race_yieldsTheFirst_andCancelsTheOthers() {
    var drops = new AtomicInteger();
    List<JoinHandle<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tasks.add(rt.spawn(Futures.<Integer>pending().whenDone(drops::incrementAndGet)));
    }
    tasks.add(later(42));
    assertThat(race(tasks).await()).isEqualTo(42);
    for (var loser : tasks.subList(0, 5)) {
      assertThatThrownBy(loser::await).isInstanceOf(CancelledException.class);
    }
    assertThat(drops).hasValue(5);
  }

  @Test
  void race_aFailureWinsToo() {
    var loser = never();
    assertThatThrownBy(() -> race(List.of(loser, fails("quick"))).await())
        .isInstanceOf(TaskFailedException.class)
        .hasRootCauseMessage("quick");
    assertThatThrownBy(loser::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void race_interruptsABlockingLoser() {
    var loser =
        rt.spawnBlocking(() -> {
          new java.util.concurrent.CountDownLatch(1).await();
          return 1;
        });
    assertThat(race(List.of(loser, later(2))).await()).isEqualTo(2);
    assertThatThrownBy(loser::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void race_earlierInTheListWinsATie() {
    var a = later(1);
    var b = later(2);
    Await.until(() -> a.isDone() && b.isDone(), "both ends");
    assertThat(race(List.of(b, a)).await()).isEqualTo(2);
  }

  @Test
  void race_droppedAtEveryPoll_cancelsAll() {
    for (int polls = 0; polls < 3; polls++) {
      var tasks = List.of(never(), never());
      var race = race(tasks);
      for (int i = 0; i < polls; i++) {
        assertThat(race.poll(Context.of(() -> {}))).isNull();
      }
      race.drop();
      for (var task : tasks) {
        assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
      }
    }
  }

  @Test
  void raceAndSelect_ofNothing_areRefused() {
    assertThatThrownBy(() -> race(List.<JoinHandle<Integer>>of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Futures.select(List.<JoinHandle<Integer>>of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void race_againstTwoEnds_hasOneWinner() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      var gates = List.of(new CompletableFuture<Integer>(), new CompletableFuture<Integer>());
      List<JoinHandle<Integer>> tasks = new ArrayList<>();
      gates.forEach(g -> tasks.add(rt.spawn(Futures.from(g))));
      Race.run(
          i -> gates.get(0).complete(0),
          i -> gates.get(1).complete(1),
          i -> {
            int winner = race(tasks).await();
            assertThat(tasks.get(winner).outcome()).isEqualTo(new Outcome.Success<>(winner));
          });
      Await.until(() -> tasks.stream().allMatch(JoinHandle::isDone), "both ends");
    }
  }

  // --- select ---

  @Test
  void select_inALoop_losesNothing() throws Exception {
    List<JoinHandle<Integer>> open = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      open.add(later(i));
    }
    List<Integer> seen = new ArrayList<>();
    Future<Done> drain =
        Futures.loop(() ->
            Futures.select(open)
                .map((Selected<Integer> first) -> {
                  seen.add(first.value());
                  open.remove(first.index());
                  return open.isEmpty() ? Futures.Step.STOP : Futures.Step.MORE;
                }));
    rt.run(drain);
    assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  }

  @Test
  void select_keepsTheLosers_alsoWhenDropped() throws Exception {
    var loser = never();
    var first = Futures.select(List.of(loser, later(9))).await();
    assertThat(first).isEqualTo(new Selected<>(1, 9));
    var again = Futures.select(List.of(loser));
    assertThat(again.poll(Context.of(() -> {}))).isNull();
    again.drop();
    assertThat(loser.isDone()).isFalse();
    loser.cancel();
  }

  // --- Identity ---

  @Test
  void idAndName_areThoseOfTheRunningTask() throws Exception {
    JoinHandle<String> named =
        rt.spawn(named("reader"), Task.yieldNow().map(d -> Task.id() + " " + Task.name()));
    assertThat(named.await()).isEqualTo(named.id() + " reader");
    JoinHandle<String> plain = rt.spawn(Futures.lazy(Task::name));
    assertThat(plain.await()).isEqualTo("task-" + plain.id());
    JoinHandle<Long> blocking = rt.spawnBlocking(Task::id);
    assertThat(blocking.await()).isEqualTo(blocking.id());
    var inDrop = new CompletableFuture<Long>();
    var dropped = rt.spawn(Futures.pending().whenDone(() -> inDrop.complete(Task.id())));
    dropped.cancel();
    assertThat(inDrop.join()).isEqualTo(dropped.id());
  }

  @Test
  void idAndName_outsideATask_areRefused() {
    assertThatThrownBy(Task::id)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no task here");
    assertThatThrownBy(Task::name).isInstanceOf(IllegalStateException.class);
  }

  /** A handle that a test or a wrapper has made. */
  @Test
  @SuppressWarnings("unchecked") // a proxy knows no type arguments
  void aForeignHandle_isRefused_withAMessage() {
    var foreign =
        (JoinHandle<String>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {JoinHandle.class},
                (proxy, method, args) -> null);
    assertThatThrownBy(() -> rt.run(Task.joinAll(List.of(foreign))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("comes from spawn");
  }
}
