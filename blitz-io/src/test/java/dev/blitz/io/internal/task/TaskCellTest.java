package dev.blitz.io.internal.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The cell by itself, driven by hand: the test is the worker. */
@Strict
@OnceIsEnough
class TaskCellTest {
  private final FakeSchedule schedule = new FakeSchedule();
  private final PollContext cx = new PollContext(128);

  private <T> TaskCell<T> task(Future<? extends T> future) {
    return new TaskCell<>(schedule, future, null);
  }

  private static final class Counter implements Waker {
    final AtomicInteger wakes = new AtomicInteger();

    @Override
    public void wake() {
      wakes.incrementAndGet();
    }
  }

  /** A task that is idle, and the waker-holding stage that ends it. */
  private <T> TaskCell<T> idle(Future<T> future) {
    TaskCell<T> task = task(future);
    task.run(cx);
    assertThat(task.isDone()).isFalse();
    assertThat(schedule.owned()).isPositive();
    return task;
  }

  // --- Waiting
  // ------------------------------------------------------------------------------------

  @Test
  void severalWaiters_areAllWokenOnce_andAllSeeTheResult() {
    var stage = new CompletableFuture<Integer>();
    TaskCell<Integer> task = idle(Futures.from(stage));
    List<Counter> waiters = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      var waiter = new Counter();
      waiters.add(waiter);
      assertThat(task.poll(Context.of(waiter))).isNull();
      assertThat(task.poll(Context.of(waiter))).isNull();
    }
    stage.complete(7);
    schedule.runAll(cx);
    assertThat(waiters).allMatch(w -> w.wakes.get() == 1);
    for (Counter w : waiters) {
      assertThat(task.poll(Context.of(w))).isEqualTo(7);
      assertThat(task.poll(Context.of(w))).as("the result stays").isEqualTo(7);
    }
    assertThat(schedule.endedCount()).isEqualTo(1);
    assertThat(schedule.owned()).isZero();
  }

  @Test
  void aLateWaiter_hasTheResultAtOnce_andIsNotWoken() {
    TaskCell<Integer> task = task(Futures.ready(1));
    task.run(cx);
    var late = new Counter();
    assertThat(task.poll(Context.of(late))).isEqualTo(1);
    assertThat(late.wakes).hasValue(0);
  }

  @Test
  void aWaiterRacingTheEnd_isWokenOrHasTheResult() throws Exception {
    for (int round = 0; round < 300; round++) {
      TaskCell<Integer> task = task(Futures.ready(round));
      var waiter = new Counter();
      var seen = new AtomicInteger(-1);
      Race.run(
          worker -> task.run(cx),
          joiner -> {
            Integer value = task.poll(Context.of(waiter));
            seen.set(value == null ? -1 : value);
          });
      assertThat(seen.get() == round || waiter.wakes.get() == 1)
          .as("round " + round + ": " + seen + ", " + waiter.wakes)
          .isTrue();
    }
  }

  @Test
  void manyShortLivedTasksThatLookAtOneHandle_leaveNoTrace() {
    TaskCell<Object> longLived = idle(Futures.pending());
    for (int i = 0; i < 100_000; i++) {
      TaskCell<Integer> brief =
          task(
              (Future<Integer>)
                  c -> {
                    assertThat(longLived.poll(c)).isNull();
                    return 1;
                  });
      brief.run(cx);
    }
    var live = new Counter();
    assertThat(longLived.poll(Context.of(live))).isNull();
    assertThat(longLived.toString()).contains("idle+awaited");
    assertThat(longLived.cancel()).isTrue();
    schedule.runAll(cx);
    assertThat(live.wakes).hasValue(1);
    assertThat(schedule.scheduled()).as("no ended task was scheduled again").isZero();
  }

  @Test
  void aWakeAfterTheEnd_doesNothing() {
    TaskCell<Integer> task = task(Futures.ready(1));
    task.run(cx);
    task.wake();
    assertThat(task.isObsolete()).isTrue();
    assertThat(schedule.scheduled()).isZero();
  }

  @Test
  void outcome_beforeTheEnd_isRefused() {
    TaskCell<Object> task = idle(Futures.pending());
    assertThatThrownBy(task::outcome)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has not ended yet");
    task.cancel();
    schedule.runAll(cx);
    assertThat(task.outcome()).isEqualTo(new Outcome.Cancelled<>("task 1 was cancelled"));
  }

  @Test
  void names_comeFromTheExtras() {
    var named = new TaskCell<Integer>(schedule, Futures.ready(1), new TaskExtras("n"));
    assertThat(named.name()).isEqualTo("n");
    assertThat(named.label()).isEqualTo("task 1 'n'");
    assertThat(task(Futures.ready(1)).name()).isEqualTo("task-2");
    assertThat(named.id()).as("stays").isEqualTo(1);
  }

  // --- Cancelling
  // ---------------------------------------------------------------------------------

  @Test
  void cancel_twice_asksOnce() {
    var drops = new AtomicInteger();
    TaskCell<Object> task = idle(Futures.pending().whenDone(drops::incrementAndGet));
    assertThat(task.cancel()).isTrue();
    assertThat(task.cancel()).isFalse();
    assertThat(schedule.scheduled()).isEqualTo(1);
    schedule.runAll(cx);
    assertThat(task.cancel()).isFalse();
    assertThat(drops).hasValue(1);
    assertThatThrownBy(() -> task.poll(Context.of(new Counter())))
        .isInstanceOf(CancelledException.class)
        .hasMessage("task 1 was cancelled");
  }

  @Test
  void cancel_beforeTheFirstPoll_dropsWithoutPolling() {
    var polls = new AtomicInteger();
    var drops = new AtomicInteger();
    TaskCell<Integer> task =
        task(Futures.lazy(polls::incrementAndGet).whenDone(drops::incrementAndGet));
    assertThat(task.cancel()).isTrue();
    task.run(cx);
    assertThat(task.isDone()).isTrue();
    assertThat(polls).hasValue(0);
    assertThat(drops).hasValue(1);
  }

  @Test
  void cancel_duringThePoll_losesToAValue_andWinsOverPending() {
    var self = new ArrayList<JoinHandle<?>>();
    Future<Integer> value =
        c -> {
          assertThat(self.getFirst().cancel()).isTrue();
          return 5;
        };
    TaskCell<Integer> valued = task(value);
    self.add(valued);
    valued.run(cx);
    assertThat(valued.outcome()).isEqualTo(new Outcome.Success<>(5));

    self.clear();
    TaskCell<Integer> pending = task(new CancelsItself(self));
    self.add(pending);
    pending.run(cx);
    assertThat(pending.outcome()).isInstanceOf(Outcome.Cancelled.class);
  }

  private record CancelsItself(List<JoinHandle<?>> self) implements Future<Integer> {
    @Override
    public @Nullable Integer poll(Context c) {
      assertThat(self.getFirst().cancel()).isTrue();
      return null;
    }
  }

  @Test
  void dropThatThrows_reachesTheHandler_andTheTaskStillEnds() {
    TaskCell<Object> task = idle(new BadDrop());
    task.cancel();
    schedule.runAll(cx);
    assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThat(schedule.told()).extracting(Throwable::getMessage).containsExactly("bad drop");
    assertThat(schedule.endedCount()).isEqualTo(1);
  }

  @Test
  void closeOfWhatItOwned_thatNobodyCanBeToldOf_theTaskStillCountsAsEnded() {
    var poor = FakeSchedule.withoutMemory();
    var extras =
        TaskExtras.of(
            SpawnOptions.owning(() -> {
              throw new InternalError("of the close");
            }));
    var value = new TaskCell<>(poor, Futures.ready(7), extras);
    assertThatThrownBy(() -> value.run(cx)).isInstanceOf(InternalError.class);
    assertThat(value.get()).isEqualTo(7);
    assertThat(poor.endedCount()).isEqualTo(1);
  }

  @Test
  void dropThatFindsNoMemory_norAnybodyToTell_theTaskStillEnds() {
    var poor = FakeSchedule.withoutMemory();
    var task =
        new TaskCell<>(
            poor,
            new Future<Object>() {
              @Override
              public @Nullable Object poll(Context c) {
                return null;
              }

              @Override
              public void drop() {
                throw new InternalError("of the drop");
              }
            },
            null);
    task.run(cx);
    task.cancel();
    poor.runAll(cx);
    assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThat(poor.endedCount()).isEqualTo(1);
  }

  private static final class BadDrop implements Future<Object> {
    @Override
    public @Nullable Object poll(Context c) {
      return null;
    }

    @Override
    public void drop() {
      throw new IllegalStateException("bad drop");
    }
  }

  @Test
  void abandon_endsAScheduledTask() {
    var drops = new AtomicInteger();
    TaskCell<Object> task = task(Futures.pending().whenDone(drops::incrementAndGet));
    task.abandon(cx);
    assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
    assertThat(drops).hasValue(1);
  }

  // --- Failing
  // ------------------------------------------------------------------------------------

  @Test
  void failure_isKeptForEveryWaiter() {
    var cause = new IOException("x");
    TaskCell<Integer> task = task(Futures.failed(cause));
    task.run(cx);
    assertThat(schedule.hasUnjoined()).isTrue();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> task.poll(Context.of(new Counter())))
          .isInstanceOf(TaskFailedException.class)
          .hasMessage("task 1 failed: java.io.IOException: x")
          .hasCause(cause);
    }
    assertThat(schedule.hasUnjoined()).isFalse();
    task.detach();
    assertThat(schedule.told()).as("a waiter has seen it").isEmpty();
    assertThat(task.outcome()).isEqualTo(new Outcome.Failure<>(cause));
  }

  @Test
  void outcome_countsAsSeeingTheFailure() {
    TaskCell<Integer> task = task(Futures.failed(new IOException("x")));
    task.run(cx);
    assertThat(task.outcome()).isInstanceOf(Outcome.Failure.class);
    assertThat(schedule.hasUnjoined()).isFalse();
  }

  @Test
  void detach_beforeOrAfterTheFailure_tellsOnce() {
    TaskCell<Integer> before = task(Futures.failed(new IOException("before")));
    before.detach();
    before.run(cx);
    before.detach();
    TaskCell<Integer> after = task(Futures.failed(new IOException("after")));
    after.run(cx);
    after.detach();
    after.detach();
    assertThat(schedule.told())
        .extracting(Throwable::getMessage)
        .containsExactly("before", "after");
    assertThat(schedule.hasUnjoined()).isFalse();
  }

  @Test
  void detach_duringTheFailure_tellsExactlyOnce() throws Exception {
    int rounds = 300;
    for (int round = 0; round < rounds; round++) {
      TaskCell<Integer> task = task(Futures.failed(new IOException("r" + round)));
      Race.run(worker -> task.run(cx), owner -> task.detach(), other -> task.detach());
    }
    assertThat(schedule.told()).hasSize(rounds).doesNotHaveDuplicates();
    assertThat(schedule.hasUnjoined()).isFalse();
  }

  @Test
  void detachRacingAJoin_theFailureIsSeenExactlyOnce() throws Exception {
    int seenByJoiner = 0;
    int rounds = 300;
    for (int round = 0; round < rounds; round++) {
      TaskCell<Integer> task = task(Futures.failed(new IOException("r" + round)));
      task.run(cx);
      int before = schedule.told().size();
      Race.run(
          owner -> task.detach(),
          joiner ->
              assertThatThrownBy(() -> task.poll(Context.of(new Counter())))
                  .isInstanceOf(TaskFailedException.class));
      int told = schedule.told().size() - before;
      assertThat(told).isBetween(0, 1);
      seenByJoiner += 1 - told;
      assertThat(schedule.hasUnjoined()).isFalse();
    }
    assertThat(seenByJoiner + schedule.told().size()).isEqualTo(rounds);
  }

  @Test
  void virtualMachineErrors_areToldAtOnce_stackOverflowIsNot() {
    TaskCell<Integer> oom =
        task(c -> {
          throw new OutOfMemoryError("made up");
        });
    oom.run(cx);
    TaskCell<Integer> deep =
        task(c -> {
          throw new StackOverflowError("made up");
        });
    deep.run(cx);
    assertThat(schedule.told()).hasSize(1).first().isInstanceOf(OutOfMemoryError.class);
    assertThat(schedule.hasUnjoined()).as("what is told later").isTrue();
    assertThat(oom.outcome()).isInstanceOf(Outcome.Failure.class);
    assertThat(deep.outcome()).isInstanceOf(Outcome.Failure.class);
  }

  // --- As a CompletableFuture
  // ---------------------------------------------------------------------

  @Test
  void toCompletableFuture_carriesTheValue() {
    TaskCell<Integer> task = task(Futures.ready(3));
    CompletableFuture<Integer> before = task.toCompletableFuture();
    assertThat(before).isNotDone();
    task.run(cx);
    assertThat(before).isCompletedWithValue(3);
    assertThat(task.toCompletableFuture()).isCompletedWithValue(3);
  }

  @Test
  void toCompletableFuture_carriesTheCauseOfAFailure() {
    TaskCell<Integer> task = task(Futures.failed(new IOException("x")));
    CompletableFuture<Integer> stage = task.toCompletableFuture();
    task.run(cx);
    assertThatThrownBy(stage::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(schedule.hasUnjoined()).as("the stage has it").isFalse();
  }

  @Test
  void toCompletableFuture_cancelledTask_cancelsTheStage() {
    TaskCell<Object> task = idle(Futures.pending());
    CompletableFuture<Object> stage = task.toCompletableFuture();
    task.cancel();
    schedule.runAll(cx);
    assertThat(stage).isCancelled();
    assertThatThrownBy(stage::join).isInstanceOf(CancellationException.class);
  }

  @Test
  void toCompletableFuture_cancelledStage_cancelsTheTask() {
    var drops = new AtomicInteger();
    TaskCell<Object> task = idle(Futures.pending().whenDone(drops::incrementAndGet));
    CompletableFuture<Object> stage = task.toCompletableFuture();
    assertThat(stage.cancel(true)).isTrue();
    schedule.runAll(cx);
    assertThat(task.isDone()).isTrue();
    assertThat(drops).hasValue(1);
    assertThat(stage).isCancelled();
  }

  @Test
  void toCompletableFuture_derivedStages_doNotCancelTheTask() {
    TaskCell<Object> task = idle(Futures.pending());
    CompletableFuture<Object> derived = task.toCompletableFuture().thenApply(v -> v);
    assertThat(derived.cancel(true)).isTrue();
    assertThat(schedule.scheduled()).isZero();
    task.cancel();
    schedule.runAll(cx);
  }

  @Test
  void handleFromAStageFromAHandle_goesBothWays() {
    TaskCell<Integer> inner = task(Futures.ready(4));
    TaskCell<Integer> outer = task(Futures.from(inner.toCompletableFuture()));
    outer.run(cx);
    assertThat(outer.isDone()).isFalse();
    inner.run(cx);
    schedule.runAll(cx);
    assertThat(outer.outcome()).isEqualTo(new Outcome.Success<>(4));
  }

  // --- The context
  // --------------------------------------------------------------------------------

  @Test
  void theContext_isUselessAfterItsPoll() {
    var kept = new ArrayList<Context>();
    TaskCell<Done> task =
        task(c -> {
          kept.add(c);
          return Done.DONE;
        });
    task.run(cx);
    assertThatThrownBy(() -> kept.getFirst().waker())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("never the context");
    assertThat(cx.task()).isNull();
  }

  @Test
  void theBudget_isPerPoll_andWakesWhenItIsUsedUp() {
    var small = new PollContext(3);
    var granted = new ArrayList<Integer>();
    TaskCell<Done> task = task(new Greedy(granted));
    task.run(small);
    assertThat(schedule.scheduled()).as("woken by the budget").isEqualTo(1);
    schedule.runAll(small);
    assertThat(granted).containsExactly(3, 3);
    assertThat(small.forcedYields()).isEqualTo(2);
    assertThat(task.isDone()).isTrue();
  }

  private record Greedy(List<Integer> granted) implements Future<Done> {
    @Override
    public @Nullable Done poll(Context c) {
      int n = 0;
      while (c.proceed()) {
        n++;
      }
      granted.add(n);
      return granted.size() == 2 ? Done.DONE : null;
    }
  }
}
