package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each combinator yields and throws, and how it answers a poll too many. */
@Strict
class FuturesTest {
  private static final Context CX = Context.of(() -> {});

  private static void assertRefusesAnotherPoll(Future<?> ended) {
    assertThatThrownBy(() -> ended.poll(CX))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("was already awaited or dropped; make a new one");
  }

  // --- Leaves
  // -------------------------------------------------------------------------------------

  @Test
  void leaves_yieldWhatTheySay() throws Exception {
    assertThat(Futures.ready(1).poll(CX)).isEqualTo(1);
    assertThat(Futures.done().poll(CX)).isEqualTo(Done.DONE);
    assertThat(Futures.pending().poll(CX)).isNull();
    assertThatThrownBy(() -> Futures.failed(new IOException("x")).poll(CX)).hasMessage("x");
    assertThat(Futures.more().poll(CX)).isEqualTo(Futures.Step.MORE);
    assertThat(Futures.stop().poll(CX)).isEqualTo(Futures.Step.STOP);
  }

  @Test
  void lazy_callsOnce_inTheFirstPoll() throws Exception {
    var calls = new AtomicInteger();
    Future<Integer> lazy = Futures.lazy(calls::incrementAndGet);
    assertThat(calls).hasValue(0);
    assertThat(lazy.poll(CX)).isEqualTo(1);
    assertRefusesAnotherPoll(lazy);
    assertThat(calls).hasValue(1);
  }

  @Test
  void yieldNow_isPendingOnce_andWakesItself() {
    var wakes = new AtomicInteger();
    var cx = Context.of(wakes::incrementAndGet);
    UncheckedFuture<Done> yield = Task.yieldNow();
    assertThat(yield.poll(cx)).isNull();
    assertThat(wakes).hasValue(1);
    assertThat(yield.poll(cx)).isEqualTo(Done.DONE);
  }

  // --- One future
  // ---------------------------------------------------------------------------------

  @Test
  void map_andThen_recover_whenDone_passValuesAndFailures() throws Exception {
    assertThat(Futures.ready(2).map(v -> v * 3).await()).isEqualTo(6);
    assertThat(Futures.ready(2).andThen(v -> Futures.ready("v" + v)).await()).isEqualTo("v2");
    assertThat(Futures.<Integer>failed(new IOException("x")).recover(e -> 7).await()).isEqualTo(7);
    assertThat(Futures.ready(2).recover(e -> 7).await()).isEqualTo(2);
    Future<Integer> failed = Futures.failed(new IOException("x"));
    assertThatThrownBy(() -> failed.map(v -> v).await()).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> failed.andThen(v -> Futures.done()).await())
        .isInstanceOf(IOException.class);
  }

  @Test
  void recover_letsErrorsAndCancellationPass() {
    Future<Integer> error =
        cx -> {
          throw new AssertionError("an error");
        };
    assertThatThrownBy(() -> error.recover(e -> 1).await()).isInstanceOf(AssertionError.class);
    Future<Integer> cancelled = Futures.failed(new CancelledException("c"));
    assertThatThrownBy(() -> cancelled.recover(e -> 1).await())
        .isInstanceOf(CancelledException.class);
  }

  @Test
  void whenDone_runsOnce_onValueAndFailure_andItsOwnFailureIsSeen() throws Exception {
    var runs = new AtomicInteger();
    assertThat(Futures.ready(1).whenDone(runs::incrementAndGet).await()).isEqualTo(1);
    assertThatThrownBy(
            () -> Futures.failed(new IOException("x")).whenDone(runs::incrementAndGet).await())
        .hasMessage("x");
    assertThat(runs).hasValue(2);
    Future.Cleanup broken =
        () -> {
          throw new IOException("cleanup");
        };
    assertThatThrownBy(() -> Futures.failed(new IOException("x")).whenDone(broken).await())
        .hasMessage("x")
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("cleanup"));
    assertThatThrownBy(() -> Futures.lazy(() -> 1).whenDone(broken).await()).hasMessage("cleanup");
    assertThatThrownBy(() -> Futures.ready(1).whenDone(broken).await())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("cleanup");
  }

  @Test
  void outcome_turnsEveryEndIntoAValue() {
    assertThat(Futures.outcome(Futures.ready(1)).await()).isEqualTo(new Outcome.Success<>(1));
    var x = new IOException("x");
    assertThat(Futures.outcome(Futures.failed(x)).await()).isEqualTo(new Outcome.Failure<>(x));
    assertThat(Futures.outcome(Futures.failed(new CancelledException("c"))).await())
        .isEqualTo(new Outcome.Cancelled<>("c"));
  }

  @Test
  void nullFromAFunction_isRefusedWithItsRole() {
    assertThatThrownBy(() -> Futures.lazy(FuturesTest::<Integer>nothing).await())
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("lazy function")
        .hasMessageContaining("FuturesTest");
    assertThatThrownBy(
            () -> Futures.ready(1).andThen(v -> FuturesTest.<Future<Integer>>nothing()).await())
        .hasMessageContaining("andThen function");
    assertThatThrownBy(() -> Futures.failed(new IOException("x")).recover(e -> nothing()).await())
        .hasMessageContaining("recover function");
    assertThatThrownBy(() -> Futures.loop(() -> nothing()).await())
        .hasMessageContaining("loop body");
    assertThatThrownBy(() -> Futures.from(CompletableFuture.completedFuture(nothing())).await())
        .hasMessageContaining("stage");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what a careless user does
  private static <T> T nothing() {
    return null;
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless user does
  void nullArguments_areRefusedAtOnce() {
    Future<Integer> f = Futures.ready(1);
    List<Runnable> calls =
        List.of(
            () -> make(Futures.ready(null)),
            () -> make(Futures.failed(null)),
            () -> make(Futures.lazy(null)),
            () -> make(Futures.loop(null)),
            () -> make(Futures.outcome(null)),
            () -> make(Futures.join(f, null)),
            () -> make(Futures.join(f, f, null)),
            () -> make(Futures.joinAll(Arrays.asList(f, null))),
            () -> make(Futures.tryJoinAll(Arrays.asList(f, null))),
            () -> make(Futures.race(f, null)),
            () -> make(Futures.select(List.of(f, null))),
            () -> make(Futures.from(null)),
            () -> make(Futures.fromVoid(null)),
            () -> make(f.map(null)),
            () -> make(f.andThen(null)),
            () -> make(f.recover(null)),
            () -> make(f.whenDone(null)));
    for (int i = 0; i < calls.size(); i++) {
      assertThatThrownBy(calls.get(i)::run)
          .as("call " + i)
          .isInstanceOf(NullPointerException.class);
    }
    assertThatThrownBy(() -> Context.of(null)).isInstanceOf(NullPointerException.class);
  }

  private static void make(Future<?> future) {
    assertThat(future).as("made of null").isNull();
  }

  // --- Several futures
  // ----------------------------------------------------------------------------

  @Test
  void join_yieldsAllInOrder_whateverTheOrderOfTheEnds() throws Exception {
    Future<Both<Integer, String>> two =
        Futures.join(DropProbe.value("a", 2, 1), DropProbe.value("b", 0, "one"));
    assertThat(two.await()).isEqualTo(new Both<>(1, "one"));
    assertRefusesAnotherPoll(two);
    assertThat(Futures.join(Futures.ready(1), Futures.ready('2'), Futures.ready("3")).await())
        .isEqualTo(new Three<>(1, '2', "3"));
    assertThat(
            Futures.joinAll(List.of(DropProbe.value("a", 3, 1), DropProbe.value("b", 1, 2)))
                .await())
        .containsExactly(1, 2);
    assertThat(Futures.joinAll(List.<Future<Integer>>of()).await()).isEmpty();
  }

  @Test
  void join_polls_onlyWhatIsPending() throws Exception {
    var quick = DropProbe.value("quick", 0, 1);
    var slow = DropProbe.value("slow", 3, 2);
    assertThat(Futures.join(quick, slow).await()).isEqualTo(new Both<>(1, 2));
    assertThat(quick.polls()).isEqualTo(1);
    assertThat(slow.polls()).isEqualTo(4);
    quick.verify();
  }

  @Test
  void joinThatFailed_refusesAnotherPoll() {
    Future<?> join = Futures.join(Futures.failed(new IOException("x")), DropProbe.never("n"));
    assertThatThrownBy(() -> join.poll(CX)).hasMessage("x");
    assertRefusesAnotherPoll(join);
  }

  @Test
  void tryJoinAll_reportsEachEnd() {
    var x = new IOException("x");
    List<Outcome<Integer>> ends =
        Futures.tryJoinAll(
                List.<Future<Integer>>of(
                    Futures.ready(1),
                    Futures.failed(x),
                    Futures.failed(new CancelledException("c")),
                    DropProbe.value("slow", 2, 4)))
            .await();
    assertThat(ends)
        .containsExactly(
            new Outcome.Success<>(1),
            new Outcome.Failure<>(x),
            new Outcome.Cancelled<>("c"),
            new Outcome.Success<>(4));
    assertThat(Futures.tryJoinAll(List.<Future<Integer>>of()).await()).isEmpty();
  }

  @Test
  void race_firstEndWins_earlierInTheListWinsATie() throws Exception {
    assertThat(Futures.race(DropProbe.value("a", 2, 1), DropProbe.value("b", 1, 2)).await())
        .isEqualTo(2);
    assertThat(Futures.race(DropProbe.value("a", 1, 1), DropProbe.value("b", 1, 2)).await())
        .isEqualTo(1);
    assertThatThrownBy(
            () -> Futures.race(DropProbe.never("a"), Futures.failed(new IOException("x"))).await())
        .hasMessage("x");
    assertThatThrownBy(() -> Futures.race(List.of())).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Futures.select(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void select_keepsTheLosersUsable() throws Exception {
    var slow = DropProbe.value("slow", 4, "slow");
    var quick = DropProbe.value("quick", 1, "quick");
    Future<Selected<String>> select = Futures.select(List.of(slow, quick));
    assertThat(select.await()).isEqualTo(new Selected<>(1, "quick"));
    assertRefusesAnotherPoll(select);
    assertThat(Futures.select(List.of(slow)).await()).isEqualTo(new Selected<>(0, "slow"));
    slow.verify();
    quick.verify();
  }

  @Test
  void loop_runsUntilStop_andYieldsWhenItsBudgetIsUsedUp() throws Exception {
    var rounds = new AtomicInteger();
    Future<Done> loop =
        Futures.loop(() -> rounds.incrementAndGet() < 5 ? Futures.more() : Futures.stop());
    assertThat(loop.await()).isEqualTo(Done.DONE);
    assertThat(rounds).hasValue(5);

    var small = new BudgetOf(3);
    Future<Done> endless = Futures.loop(Futures::more);
    assertThat(endless.poll(small)).isNull();
    assertThat(small.wakes).isEqualTo(1);
    endless.drop();
  }

  @Test
  void loop_afterItsEnd_refusesAnotherPoll() throws Exception {
    var rounds = new AtomicInteger();
    Future<Done> loop =
        Futures.loop(() -> {
          rounds.incrementAndGet();
          return Futures.stop();
        });
    assertThat(loop.poll(CX)).isEqualTo(Done.DONE);
    assertRefusesAnotherPoll(loop);
    assertThat(rounds).hasValue(1);
  }

  private static final class BudgetOf implements Context {
    private int left;
    int wakes;

    BudgetOf(int operations) {
      left = operations;
    }

    @Override
    public Waker waker() {
      return () -> wakes++;
    }

    @Override
    public boolean proceed() {
      if (left-- > 0) {
        return true;
      }
      waker().wake();
      return false;
    }
  }

  private static Future<Integer> countDown(int from) {
    return Futures.ready(from).andThen(n -> n == 0 ? Futures.ready(7) : countDown(n - 1));
  }

  private static Future<Integer> checkedCountDown(int from) {
    return Futures.lazy(() -> from)
        .andThen(n -> n == 0 ? Futures.failed(new IOException("end")) : checkedCountDown(n - 1));
  }

  @Test
  void andThen_thatContinuesWithItself_takesAMillionRounds() throws Exception {
    assertThat(countDown(1_000_000).await()).isEqualTo(7);
    assertThatThrownBy(() -> checkedCountDown(1_000_000).await())
        .isInstanceOf(IOException.class)
        .hasMessage("end");
  }

  @Test
  void andThen_ofAnUncheckedTail_wrapsWhatThatThrows() {
    Future<Integer> mixed =
        Futures.lazy(() -> 1)
            .andThen(n ->
                Futures.ready(2)
                    .andThen(m -> {
                      throw new IOException("inside");
                    }));
    assertThatThrownBy(mixed::await)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void andThen_thatIsAlwaysReady_letsOthersRun() throws Exception {
    var small = new BudgetOf(10);
    Future<Integer> endless = countDown(Integer.MAX_VALUE);
    assertThat(endless.poll(small)).isNull();
    assertThat(small.wakes).isEqualTo(1);
    endless.drop();
  }

  @Test
  void aDroppedWaitForAStage_isNotReachableFromIt() throws Exception {
    CompletionStage<Integer> minimal = new CompletableFuture<Integer>().minimalCompletionStage();
    var waker =
        new Waker() {
          @Override
          public void wake() {}
        };
    Future<Integer> wait = Futures.from(minimal);
    assertThat(wait.poll(Context.of(waker))).isNull();
    wait.drop();
    var future = new WeakReference<>(wait);
    var woken = new WeakReference<>(waker);
    wait = null;
    waker = null;
    Await.untilCollected(
        () -> future.get() == null && woken.get() == null, "the wait to be collected");
    assertThat(minimal).isNotNull();
  }

  @Test
  void everyCombinator_saysWhatItWaitsFor() throws Exception {
    Future<Object> pending = Futures.pending();
    assertThat(pending.map(v -> v).andThen(v -> pending).recover(e -> 1).whenDone(() -> {}))
        .hasToString("nothing (Futures.pending)");
    assertThat(Futures.join(DropProbe.never("a"), DropProbe.never("b")))
        .hasToString("join of a, b");
    assertThat(Futures.race(DropProbe.never("a"), DropProbe.never("b")))
        .hasToString("first of a, b");
    assertThat(Futures.outcome(DropProbe.never("a"))).hasToString("a");
    Future<?> loop = Futures.loop(() -> DropProbe.never("step"));
    assertThat(loop).hasToString("the next step of a loop");
    assertThat(loop.poll(CX)).isNull();
    assertThat(loop).hasToString("step");
  }

  // --- Awaiting on a thread
  // -----------------------------------------------------------------------

  @Test
  void await_interrupted_dropsTheFuture_andKeepsTheInterrupt() throws Exception {
    var dropped = new AtomicInteger();
    Future<Object> future = Futures.pending().whenDone(dropped::incrementAndGet);
    var seen = new AtomicReference<@Nullable Throwable>();
    var flag = new AtomicInteger();
    var thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                future.await();
              } catch (Exception e) {
                seen.set(e);
              }
              flag.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            });
    Await.untilWaiting(thread);
    thread.interrupt();
    thread.join();
    assertThat(seen.get())
        .isInstanceOf(CancelledException.class)
        .hasMessageContaining("nothing (Futures.pending)");
    assertThat(dropped).hasValue(1);
    assertThat(flag).hasValue(1);
  }

  @Test
  void await_wakesFromOtherThreads_areNotLost() throws Exception {
    for (int round = 0; round < 200; round++) {
      var stage = new CompletableFuture<Integer>();
      int n = round;
      Race.run(
          waiter -> assertThat(Futures.from(stage).await()).isEqualTo(n),
          completer -> stage.complete(n));
    }
  }

  // --- Stages
  // -------------------------------------------------------------------------------------

  @Test
  void from_yieldsValueFailureAndCancellation() throws Exception {
    assertThat(Futures.from(CompletableFuture.completedFuture(1)).await()).isEqualTo(1);
    assertThatThrownBy(
            () -> Futures.from(CompletableFuture.failedFuture(new IOException("x"))).await())
        .isInstanceOf(IOException.class);
    CompletableFuture<Integer> wrapped =
        CompletableFuture.<Integer>failedFuture(new IOException("deep"))
            .thenApply(v -> v)
            .thenApply(v -> v);
    assertThatThrownBy(() -> Futures.from(wrapped).await())
        .isInstanceOf(IOException.class)
        .hasMessage("deep");
    var cancelled = new CompletableFuture<Integer>();
    cancelled.cancel(true);
    assertThatThrownBy(() -> Futures.from(cancelled).await())
        .isInstanceOf(CancelledException.class)
        .hasCauseInstanceOf(CancellationException.class);
    assertThatThrownBy(
            () -> Futures.from(CompletableFuture.failedFuture(new AssertionError("e"))).await())
        .isInstanceOf(AssertionError.class);
  }

  @Test
  void from_registersWithTheStage_inTheFirstPollOnly() throws Exception {
    var stage = new CompletableFuture<Integer>();
    Future<Integer> future = Futures.from(stage);
    assertThat(stage.getNumberOfDependents()).isZero();
    assertThat(future.poll(CX)).isNull();
    assertThat(future.poll(CX)).isNull();
    assertThat(stage.getNumberOfDependents()).isEqualTo(1);
  }

  @Test
  void from_wakesTheLatestWaker() throws Exception {
    var stage = new CompletableFuture<Integer>();
    Future<Integer> future = Futures.from(stage);
    var first = new AtomicInteger();
    var second = new AtomicInteger();
    assertThat(future.poll(Context.of(first::incrementAndGet))).isNull();
    assertThat(future.poll(Context.of(second::incrementAndGet))).isNull();
    stage.complete(1);
    assertThat(first).hasValue(0);
    assertThat(second).hasValue(1);
    assertThat(future.poll(CX)).isEqualTo(1);
  }

  @Test
  void drop_cancelsTheStage_andWakesNobody() throws Exception {
    var stage = new CompletableFuture<Integer>();
    var wakes = new AtomicInteger();
    Future<Integer> future = Futures.from(stage);
    assertThat(future.poll(Context.of(wakes::incrementAndGet))).isNull();
    future.drop();
    assertThat(stage).isCancelled();
    assertThat(wakes).hasValue(0);
    var unpolled = new CompletableFuture<Integer>();
    Futures.from(unpolled).drop();
    assertThat(unpolled).isCancelled();
  }

  @Test
  void drop_ofAStageThatCannotBeCancelled_leavesItAlone() {
    var source = new CompletableFuture<Integer>();
    Futures.from(source.minimalCompletionStage()).drop();
    assertThat(source).isNotDone();
    CompletionStage<Integer> stubborn = new Stubborn();
    Futures.from(stubborn).drop();
  }

  private static final class Stubborn extends CompletableFuture<Integer> {
    @Override
    public CompletableFuture<Integer> toCompletableFuture() {
      throw new UnsupportedOperationException("no");
    }
  }

  @Test
  void fromVoid_yieldsDone() throws Exception {
    CompletableFuture<@Nullable Void> stage = CompletableFuture.completedFuture(null);
    assertThat(Futures.fromVoid(stage).await()).isEqualTo(Done.DONE);
    CompletableFuture<@Nullable Void> failing =
        CompletableFuture.failedFuture(new IllegalStateException("x"));
    assertThatThrownBy(() -> Futures.fromVoid(failing).await()).hasMessage("x");
  }
}
