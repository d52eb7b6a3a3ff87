package dev.blitz.io.shutdown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.io.future.DropProbe;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.OnePoll;
import dev.blitz.io.future.Promise;
import dev.blitz.io.signal.FakeSignals;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.ScopePolicy;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@Strict
class ShutdownTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final FakeSignals signals = new FakeSignals();
  private final BlitzRuntime runtime = BlitzRuntime.create();

  private Shutdown shutdown = open(Duration.ZERO);

  private Shutdown open(Duration linger) {
    ShutdownBuilder builder = Shutdown.builder().signals(Signal.INT, Signal.TERM).linger(linger);
    builder.listening = signals::listen;
    return builder.open(runtime);
  }

  @AfterEach
  void close() {
    shutdown.close();
    assertThat(signals.installed()).as("signals are given back").isZero();
    runtime.close();
  }

  // --- The trigger ---

  @Test
  void signal_triggersOnce_andTellsTheReason() {
    assertThat(shutdown.running()).isTrue();
    assertThat(shutdown.phase()).isEqualTo(ShutdownPhase.RUNNING);
    signals.send(Signal.TERM);
    assertThat(shutdown.running()).isFalse();
    assertThat(shutdown.phase()).isEqualTo(ShutdownPhase.LINGERING);
    assertThat(shutdown.token().isCancelled()).isTrue();
    assertThat(shutdown.triggered().await()).isEqualTo(new ShutdownReason.BySignal(Signal.TERM));
    assertThat(shutdown.trigger()).isFalse();
    ShutdownReport report = shutdown.drain(LONG);
    assertThat(report.clean()).isTrue();
    assertThat(report.toString()).isEqualTo("shut down by SIGTERM: all work finished");
    assertThat(shutdown.phase()).isEqualTo(ShutdownPhase.ENDED);
    assertThat(shutdown.drain(LONG)).as("the same for all").isSameAs(report);
  }

  @Test
  void drain_withoutATrigger_isOne() {
    ShutdownReport report = shutdown.drain(LONG);
    assertThat(report.reason()).isEqualTo(new ShutdownReason.ByCode("a call of drain()"));
    assertThat(shutdown.running()).isFalse();
  }

  @Test
  void close_withoutADrain_triggersForThoseWhoWatch() {
    var watching = runtime.spawn(shutdown.triggered());
    shutdown.close();
    assertThat(watching.await()).isEqualTo(new ShutdownReason.ByCode("close()"));
    assertThatThrownBy(() -> shutdown.begin("late")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> shutdown.drain(LONG)).isInstanceOf(CancelledException.class);
  }

  // --- The linger ---

  @Test
  void whileRunning_takesWhatWasThereBeforeTheTrigger_andReturns() throws Exception {
    Channel<Integer> channel = Channel.unbounded();
    List<Integer> taken = new ArrayList<>();
    runtime.run(() -> {
      for (int i = 0; i < 100; i++) {
        channel.trySend(i);
      }
      shutdown.trigger();
      Await.until(() -> shutdown.stopToken().isCancelled(), "the linger is over");
      shutdown.whileRunning(channel::receive, value -> taken.add(value));
    });
    assertThat(taken).hasSize(100);
  }

  @Test
  void whileRunning_afterTheTrigger_waitsForTheLinger() throws Exception {
    shutdown.close();
    shutdown = open(LONG);
    Channel<Integer> channel = Channel.unbounded();
    List<Integer> taken = new ArrayList<>();
    var loop = runtime.spawn(() -> shutdown.whileRunning(channel::receive, taken::add));
    shutdown.trigger();
    channel.trySend(1);
    Await.until(() -> taken.size() == 1, "what comes during the linger is taken");
    shutdown.force();
    loop.await();
  }

  @Test
  void whileRunning_throwsWhatTheFutureThrows_andItsOwnCancellation() {
    var failing =
        runtime.spawn(() ->
            shutdown.whileRunning(
                () -> Futures.io(Futures.<Done>failed(new IOException("broken"))), done -> {}));
    assertThatThrownBy(failing::await).hasRootCauseMessage("broken");
    var cancelled =
        runtime.spawn(() -> shutdown.whileRunning(() -> Futures.<Done>pending(), done -> {}));
    cancelled.cancel();
    assertThatThrownBy(cancelled::await).isInstanceOf(CancelledException.class);
    assertThat(shutdown.running()).isTrue();
  }

  @Test
  void guard_endsAtTheStop_butNotWithoutALook() {
    var pending = shutdown.guard(Futures.<Done>pending());
    assertThat(pending.poll(Context.of(() -> {}))).isNull();
    shutdown.force();
    assertThatThrownBy(() -> pending.poll(Context.of(() -> {})))
        .isInstanceOf(CancelledException.class);
    assertThat(shutdown.guard(Futures.ready(7)).await()).as("it was there").isEqualTo(7);
  }

  @Test
  void guard_stoppedWhileNoBudgetIsLeft_stillTakesWhatIsThere() throws Exception {
    Channel<Integer> requests = Channel.bounded(1);
    requests.trySend(7);
    shutdown.force();
    var guarded = shutdown.guard(requests.receive());
    assertThat(guarded.poll(new OnePoll(0))).as("no look").isNull();
    assertThat(guarded.poll(new OnePoll(1))).isEqualTo(7);
  }

  @Test
  void guard_droppedAnywhere_dropsWhatItGuards() {
    DropExplorer.explore(() -> {
      var stop = CancelToken.create();
      var inner = DropProbe.<Integer>value("inner", 2, 1);
      return DropExplorer.scenario(new StoppableFuture<>(stop, inner))
          .step("stop", stop::cancel)
          .check(end -> inner.verifyReleased());
    });
  }

  // --- What is waited for ---

  @Test
  void drain_waitsForTasksScopesAndGuards() throws Exception {
    var gate = Promise.<Done>create();
    var task = shutdown.track(runtime.spawn(gate.future()));
    TaskScope scope = shutdown.track(TaskScope.open(runtime));
    var child = scope.spawn(gate.future());
    WorkGuard work = shutdown.begin("import");
    var drained = runtime.spawn(shutdown.drained(LONG));
    Await.until(() -> shutdown.phase() == ShutdownPhase.DRAINING, "it drains");
    work.close();
    work.close();
    assertThat(drained.isDone()).isFalse();
    gate.complete(Done.DONE);
    assertThat(drained.await().clean()).isTrue();
    assertThat(task.isDone()).isTrue();
    assertThat(child.isDone()).isTrue();
    scope.close();
  }

  @Test
  void drain_whoseTimeIsUp_namesWhoIsLeft_andCancelsThem() {
    shutdown.track(runtime.spawn(SpawnOptions.named("import"), Task.sleep(LONG)));
    TaskScope scope = shutdown.track(TaskScope.open(runtime, ScopePolicy.supervise((w, t) -> {})));
    scope.spawn(SpawnOptions.named("client 7"), () -> Task.sleep(LONG).await());
    var blocker = new CountDownLatch(1);
    shutdown.track(
        runtime.spawnBlocking(
            SpawnOptions.named("hash"),
            () -> {
              blocker.await();
            }));
    Await.until(() -> String.join("\n", runtime.dump()).contains("client 7"), "all have begun");
    WorkGuard work = shutdown.begin("order 17");
    var token = runtime.spawn(work.token().cancelled());
    ShutdownReport report = shutdown.drain(Duration.ofMillis(20));
    token.await();
    assertThat(report.clean()).isFalse();
    assertThat(report.forced()).isFalse();
    assertThat(report.left()).hasSize(4);
    assertThat(report.toString())
        .contains("4 were still at work")
        .contains("'import'", "a timer that is due")
        .contains("'client 7'")
        .contains("'hash'", "blocks")
        .contains("work 'order 17', begun by main at ");
    assertThat(report.stuck()).as("nobody closes the guard").hasSize(1);
    assertThat(scope.running()).isZero();
    scope.close();
  }

  /** Nobody is left to keep the limit but the watch. */
  @Test
  @OnceIsEnough
  void drain_ofARuntimeThatIsStuck_endsAndSaysSo() throws Exception {
    var stuck = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    try (var one = BlitzRuntime.builder().workers(1).build()) {
      var plain = Shutdown.builder().open(one);
      one.spawn(
              Futures.lazy(() -> {
                stuck.countDown();
                goOn.await();
                return 0;
              }))
          .detach();
      stuck.await();
      plain.track(one.spawn(SpawnOptions.named("import"), Task.sleep(LONG)));
      var draining = new FutureTask<>(() -> plain.drain(Duration.ofMillis(10)));
      Thread.ofPlatform().daemon().start(draining);
      ShutdownReport report = draining.get(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(report.left()).singleElement().asString().contains("import");
      assertThat(report.stuck()).anyMatch(line -> line.contains("seems to be stuck"));
      goOn.countDown();
      Await.until(() -> plain.phase() == ShutdownPhase.ENDED, "the drain goes on when it can");
      plain.close();
    } finally {
      goOn.countDown();
    }
  }

  @Test
  void secondSignal_forces_alsoBeforeTheDrain() {
    TaskScope scope = shutdown.track(TaskScope.open(runtime, ScopePolicy.supervise((w, t) -> {})));
    var child = scope.spawn(SpawnOptions.named("client 7"), Task.sleep(LONG));
    signals.send(Signal.TERM);
    assertThat(child.isDone()).isFalse();
    signals.send(Signal.INT);
    assertThatThrownBy(child::await).isInstanceOf(CancelledException.class);
    ShutdownReport report = shutdown.drain(LONG);
    assertThat(report.forced()).isTrue();
    assertThat(report.left()).singleElement().asString().contains("client 7");
    assertThat(report.toString()).startsWith("shut down by SIGTERM, forced; 1 were still at work");
    scope.close();
  }

  @Test
  void secondSignal_duringTheDrain_endsIt() {
    shutdown.track(runtime.spawn(SpawnOptions.named("import"), Task.sleep(LONG)));
    signals.send(Signal.TERM);
    var drained = runtime.spawn(shutdown.drained(LONG));
    Await.until(() -> shutdown.phase() == ShutdownPhase.DRAINING, "it drains");
    signals.send(Signal.TERM);
    assertThat(drained.await().left()).singleElement().asString().contains("'import'");
  }

  @Test
  void work_thatComesTooLate_isCancelledOrRefused() {
    shutdown.force();
    var task = shutdown.track(runtime.spawn(Task.sleep(LONG)));
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    TaskScope scope = shutdown.track(TaskScope.open(runtime));
    Await.until(scope::isCancelled, "a late scope is cancelled");
    scope.close();
    assertThatThrownBy(() -> shutdown.begin("late"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("too late to begin 'late'");
    shutdown.drain(LONG);
    var later = shutdown.track(runtime.spawn(Task.sleep(LONG)));
    assertThatThrownBy(later::await).isInstanceOf(CancelledException.class);
  }

  @Test
  void drain_byATaskThatIsTracked_isRefused() {
    var gate = Promise.<Done>create();
    var drains =
        shutdown.track(
            runtime.spawn(
                SpawnOptions.named("main"),
                () -> {
                  gate.future().await();
                  return shutdown.drain(LONG);
                }));
    gate.complete(Done.DONE);
    assertThatThrownBy(drains::await).hasMessageContaining("main drains, and is itself");
  }

  @Test
  void endedWork_isForgotten() {
    for (int i = 0; i < 1000; i++) {
      shutdown.track(runtime.spawn(Futures.done())).await();
    }
    Await.until(() -> shutdown.pending().isEmpty(), "nothing is kept");
  }

  // --- Phases ---

  @Test
  void actions_runInTheOrderOfPhases_andWorkIsBetweenThem() {
    var log = new ConcurrentLinkedQueue<String>();
    var gate = Promise.<Done>create();
    shutdown.during(ShutdownPhase.CLOSING, "pool", () -> log.add("close pool"));
    shutdown.during(
        ShutdownPhase.DRAINING,
        "queue",
        () -> {
          gate.complete(Done.DONE);
          log.add("drain queue");
        });
    shutdown.during(ShutdownPhase.STOPPING, "listener", () -> log.add("stop listener"));
    shutdown.track(
        runtime.spawn(
            gate.future()
                .map(done -> {
                  log.add("work");
                  return done;
                })));
    assertThat(shutdown.drain(LONG).clean()).isTrue();
    assertThat(log).startsWith("stop listener").endsWith("close pool").hasSize(4);
    assertThatThrownBy(() -> shutdown.during(ShutdownPhase.CLOSING, "late", () -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("too late for 'late'");
    assertThatThrownBy(() -> shutdown.during(ShutdownPhase.RUNNING, "odd", () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** By a clock that stands still until the one that hangs has begun. */
  @Test
  void actions_thatFailOrHang_areTold_andOthersRun() throws Exception {
    var clock = new ManualTimeSource(false);
    try (var manual = BlitzRuntime.builder().workers(2).clock(clock).build();
        var plain = Shutdown.builder().linger(Duration.ZERO).open(manual)) {
      var log = new ConcurrentLinkedQueue<String>();
      var hangs = new CountDownLatch(1);
      plain.during(
          ShutdownPhase.STOPPING,
          "bad",
          () -> {
            throw new IOException("cannot stop");
          });
      plain.during(ShutdownPhase.STOPPING, "good", () -> log.add("stopped"));
      plain.during(
          ShutdownPhase.DRAINING,
          "slow",
          () -> {
            hangs.countDown();
            Task.sleep(LONG).await();
          });
      plain.during(ShutdownPhase.CLOSING, "last", () -> log.add("closed"));
      var drained = manual.spawn(plain.drained(Duration.ofMillis(20)));
      hangs.await();
      clock.advance(Duration.ofMillis(21));
      ShutdownReport report = drained.await();
      assertThat(log).containsExactly("stopped", "closed");
      assertThat(report.failures()).singleElement().asString().contains("cannot stop");
      assertThat(report.left()).singleElement().asString().contains("DRAINING slow");
    }
  }

  // --- The runtime ---

  @Test
  void drain_whenTheRuntimeCloses_isCancelled_andOfAClosedOneRejected() {
    shutdown.track(runtime.spawn(Task.sleep(LONG)));
    var drained = runtime.spawn(shutdown.drained(LONG));
    Await.until(() -> shutdown.phase() == ShutdownPhase.DRAINING, "it drains");
    runtime.close();
    assertThatThrownBy(() -> shutdown.drain(LONG)).isInstanceOf(CancelledException.class);
    assertThat(drained.isDone()).isTrue();
    try (Shutdown late = open(LONG)) {
      assertThatThrownBy(() -> late.drain(LONG)).isInstanceOf(RejectedExecutionException.class);
      assertThat(late.stopToken().isCancelled()).as("no linger without a runtime").isTrue();
    }
  }

  @Test
  void open_outsideARuntime_orInAScope_isRefused() {
    assertThatThrownBy(Shutdown::open).hasMessageContaining("a shutdown needs a runtime");
    try (TaskScope scope = TaskScope.open(runtime)) {
      assertThatThrownBy(() -> Shutdown.builder().open(scope))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
