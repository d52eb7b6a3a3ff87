package dev.blitz.io;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.DropProbe;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.observe.RuntimeStats;
import dev.blitz.io.policy.SpinMode;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The runtime as a whole: rescue of stuck workers, idleness, overflow, failures nobody asks for.
 */
@Strict
@TimeLimit(30)
class SchedulingTest {

  private static Thread thread(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no thread " + name));
  }

  private static void awaitAsleep(BlitzRuntime rt) {
    Await.until(
        () -> {
          var s = rt.stats();
          return s.searching() == 0
              && s.parked() == s.workers().size()
              && thread("blitz-" + rt.name() + "-overseer").getState() == Thread.State.WAITING;
        },
        "workers and overseer asleep");
  }

  // --- The overseer
  // -------------------------------------------------------------------------------

  /** Hangs unless another worker runs what waits in the stuck worker's LIFO slot. */
  @Test
  void aTaskInTheLifoSlotOfAStuckWorker_isRescued() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).stallThreshold(Duration.ZERO).build()) {
      for (int round = 0; round < 10; round++) {
        assertThat(rt.run(stuckUntilChildrenRan(1))).isEqualTo(Done.DONE);
        if (round % 3 == 0) {
          awaitAsleep(rt);
        }
      }
      assertThat(rt.stats().stolen()).isPositive();
    }
  }

  @Test
  void tasksInTheRingOfAStuckWorker_areRescued() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).stallThreshold(Duration.ZERO).build()) {
      for (int round = 0; round < 5; round++) {
        assertThat(rt.run(stuckUntilChildrenRan(20))).isEqualTo(Done.DONE);
      }
    }
  }

  private static Future<Done> stuckUntilChildrenRan(int children) {
    return Futures.lazy(() -> {
      var ran = new CountDownLatch(children);
      for (int i = 0; i < children; i++) {
        Task.spawn(
                Futures.lazy(() -> {
                  ran.countDown();
                  return Done.DONE;
                }))
            .detach();
      }
      ran.await();
      return Done.DONE;
    });
  }

  @Test
  void aStall_isLoggedOnce_withTheStackOfThePoll() throws Exception {
    try (var log = new LogCapture();
        var rt =
            BlitzRuntime.builder()
                .workers(2)
                .name("stalls")
                .stallThreshold(Duration.ofMillis(30))
                .build()) {
      var release = new CountDownLatch(1);
      JoinHandle<Done> hog = rt.spawn(Futures.lazy(() -> hogUntil(release)));
      Await.until(
          () -> log.messages().stream().anyMatch(m -> m.contains("hogUntil")), "the log entry");
      // Work meanwhile does not make it a second stall.
      for (int i = 0; i < 50; i++) {
        rt.run(Futures.done());
      }
      release.countDown();
      assertThat(hog.await()).isEqualTo(Done.DONE);
      assertThat(log.messages().stream().filter(m -> m.contains("hogUntil")))
          .hasSize(1)
          .first()
          .asString()
          .contains("blitz-stalls-worker-", "spawnBlocking");
    }
  }

  private static Done hogUntil(CountDownLatch release) throws InterruptedException {
    release.await();
    return Done.DONE;
  }

  @Test
  void workersThatStart_areNotStalled() throws Exception {
    try (var log = new LogCapture()) {
      for (int judged = 0; judged < 10; ) {
        int before = log.messages().size();
        long begun = System.nanoTime();
        try (var rt = BlitzRuntime.builder().workers(4).build()) {
          fanOut(rt, 200);
        }
        judged += judge(log, before, System.nanoTime() - begun, Duration.ofSeconds(1));
      }
    }
  }

  @Test
  void workersThatWake_areNotStalled() throws Exception {
    var threshold = Duration.ofMillis(200);
    try (var log = new LogCapture();
        var rt = BlitzRuntime.builder().workers(4).stallThreshold(threshold).build()) {
      for (int judged = 0; judged < 3; ) {
        int before = log.messages().size();
        long begun = System.nanoTime();
        fanOut(rt, 200);
        long took = System.nanoTime() - begun;
        awaitAsleep(rt);
        long asleep = System.nanoTime();
        Await.until(() -> System.nanoTime() - asleep > 210_000_000, "longer than the threshold");
        judged += judge(log, before, took, threshold);
      }
    }
  }

  /**
   * No poll can have stalled in less time than the threshold. Where the machine has left the
   * workers alone for longer, one may have: that round says nothing.
   */
  private static int judge(LogCapture log, int before, long tookNanos, Duration threshold) {
    if (tookNanos >= threshold.toNanos()) {
      return 0;
    }
    assertThat(log.messages().subList(before, log.messages().size())).isEmpty();
    return 1;
  }

  private static void fanOut(BlitzRuntime rt, int tasks) throws Exception {
    rt.run(
        Futures.lazy(
                () -> {
                  List<JoinHandle<Done>> children = new ArrayList<>();
                  for (int i = 0; i < tasks; i++) {
                    children.add(Task.spawn(Task.yieldNow()));
                  }
                  return Futures.joinAll(children);
                })
            .andThen(all -> all));
  }

  // --- Queues
  // -------------------------------------------------------------------------------------

  @Test
  void aTaskThatSpawnsMoreThanARingHolds_losesNone() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var ran = new AtomicInteger();
      rt.run(
          Futures.lazy(
                  () -> {
                    List<JoinHandle<Integer>> children = new ArrayList<>();
                    for (int i = 0; i < 5_000; i++) {
                      children.add(Task.spawn(Futures.lazy(ran::incrementAndGet)));
                    }
                    return Futures.joinAll(children);
                  })
              .andThen(all -> all));
      assertThat(ran).hasValue(5_000);
      assertThat(rt.stats().workers().getFirst().overflows()).isPositive();
    }
  }

  /** Two tasks that wake each other for ever leave a turn to a third. */
  @Test
  void pingPong_doesNotStarveOthers() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      var stop = new AtomicBoolean();
      List<JoinHandle<Done>> players = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        players.add(
            rt.spawn(
                Futures.loop(() ->
                    Task.spawn(Futures.done())
                        .map(d -> stop.get() ? Futures.Step.STOP : Futures.Step.MORE))));
      }
      assertThat(rt.run(Task.yieldNow())).isEqualTo(Done.DONE);
      stop.set(true);
      for (var p : players) {
        assertThat(p.await()).isEqualTo(Done.DONE);
      }
    }
  }

  @Test
  void aWorkerThatCannotStart_leavesTheWorkToTheOthers() throws Exception {
    var told = Collections.synchronizedList(new ArrayList<Throwable>());
    try (var rt =
        new RuntimeBuilder()
            .workers(3)
            .uncaughtHandler((what, t) -> told.add(t))
            .threadStarter(t -> {
              if (!t.getName().endsWith("worker-0") && !t.getName().endsWith("overseer")) {
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            })
            .build()) {
      for (int i = 0; i < 100; i++) {
        assertThat(rt.spawn(Futures.ready(i)).await()).isEqualTo(i);
        Await.until(() -> rt.stats().parked() == 3, "the worker parked");
      }
      assertThat(rt.stats().searching()).isZero();
    }
    assertThat(told).isNotEmpty().allMatch(t -> t instanceof OutOfMemoryError);
  }

  /** Each attempt takes milliseconds, of one who has something else to do. */
  @Test
  void aWorkerThatCannotStart_isNotTriedForEachTask() throws Exception {
    var tried = new AtomicInteger();
    long begun = System.nanoTime();
    try (var rt =
        new RuntimeBuilder()
            .workers(2)
            .uncaughtHandler((what, t) -> {})
            .threadStarter(t -> {
              if (t.getName().endsWith("worker-1")) {
                tried.incrementAndGet();
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            })
            .build()) {
      fanOut(rt, 1_000);
    }
    long tenths = (System.nanoTime() - begun) / 100_000_000;
    assertThat(tried.get()).isBetween(1, 2 + (int) tenths);
  }

  @Test
  void anOverseerThatCannotStart_leavesTheRestWorking() throws Exception {
    var told = Collections.synchronizedList(new ArrayList<String>());
    var rt =
        new RuntimeBuilder()
            .workers(2)
            .uncaughtHandler((what, t) -> told.add(what))
            .threadStarter(t -> {
              if (t.getName().endsWith("overseer")) {
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            })
            .build();
    fanOut(rt, 1_000);
    assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue();
    assertThat(told).hasSize(1).first().asString().contains("overseer");
  }

  /** Each attempt takes milliseconds: the JDK waits before it gives up. */
  @Test
  void anOverseerThatCannotStart_isNotTriedByEachWorkerThatWakes() throws Exception {
    var tried = new AtomicInteger();
    try (var rt =
        new RuntimeBuilder()
            .workers(1)
            .spin(SpinMode.OFF)
            .uncaughtHandler((what, t) -> {})
            .threadStarter(t -> {
              if (t.getName().endsWith("overseer")) {
                tried.incrementAndGet();
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            })
            .build()) {
      long begun = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        rt.run(Task.yieldNow());
        Await.until(() -> rt.stats().parked() == 1, "the worker to park");
      }
      long seconds = (System.nanoTime() - begun) / 1_000_000_000;
      assertThat(tried.get()).isBetween(1, 2 + (int) seconds);
    }
  }

  @Test
  void anOverseerThatCannotStartAtFirst_isStartedByAWorkerThatWakesLater() throws Exception {
    var starts = new AtomicInteger();
    try (var rt =
        new RuntimeBuilder()
            .workers(1)
            .uncaughtHandler((what, t) -> {})
            .threadStarter(t -> {
              if (t.getName().endsWith("overseer") && starts.getAndIncrement() == 0) {
                throw new OutOfMemoryError("no thread");
              }
              t.start();
            })
            .build()) {
      Await.until(
          () -> rt.run(Task.yieldNow()) == Done.DONE && starts.get() > 1, "the second attempt");
    }
  }

  /** Workers start each other; a close may find one that has been made but not started. */
  @Test
  void close_whileWorkersAreBeingStarted_waitsForThem() throws Exception {
    for (int round = 0; round < 30; round++) {
      var starting = new CountDownLatch(1);
      var goOn = new CountDownLatch(1);
      var rt =
          new RuntimeBuilder()
              .workers(2)
              .threadStarter(t -> {
                if (t.getName().endsWith("worker-1")) {
                  starting.countDown();
                  awaitUninterruptibly(goOn);
                }
                t.start();
              })
              .build();
      JoinHandle<Done> first = rt.spawn(stuckUntilChildrenRan(0));
      assertThat(first.await()).isEqualTo(Done.DONE);
      var outsider = Thread.ofPlatform().start(() -> spawnUntilRefused(rt));
      starting.await();
      Race.run(
          closer -> assertThat(rt.close(Timeouts.MEDIUM).clean()).isTrue(),
          opener -> {
            Await.until(() -> refuses(rt), "the close to have begun");
            goOn.countDown();
          });
      outsider.join();
    }
  }

  private static boolean refuses(BlitzRuntime rt) {
    try {
      rt.spawn(Futures.done()).detach();
      return false;
    } catch (RejectedExecutionException e) {
      return true;
    }
  }

  private static void spawnUntilRefused(BlitzRuntime rt) {
    Await.until(() -> refuses(rt), "a refusal");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void threadHooks_runOnEachWorker_andMayThrow() throws Exception {
    var started = new AtomicInteger();
    var stopped = new AtomicInteger();
    var told = Collections.synchronizedList(new ArrayList<String>());
    try (var rt =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) -> told.add(what))
            .onThreadStart(t -> {
              started.incrementAndGet();
              throw new IllegalStateException("hook");
            })
            .onThreadStop(t -> stopped.incrementAndGet())
            .build()) {
      assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
    }
    assertThat(started).hasValue(1);
    assertThat(stopped).hasValue(1);
    assertThat(told).containsExactly("thread hook");
  }

  // --- Idle
  // ---------------------------------------------------------------------------------------

  @Test
  void idleMeansIdle_withAThousandParkedTasks() throws Exception {
    var stages = new ArrayList<CompletableFuture<Integer>>();
    try (var rt = BlitzRuntime.builder().workers(2).name("idle").build()) {
      List<JoinHandle<Integer>> parked = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        var stage = new CompletableFuture<Integer>();
        stages.add(stage);
        parked.add(rt.spawn(Futures.from(stage)));
      }
      for (int i = 0; i < 20; i++) {
        fanOut(rt, 500);
      }
      Await.until(() -> rt.dump().size() == 1_000, "a thousand parked tasks");
      awaitAsleep(rt);
      // Who says that it sleeps is still on its way there: the silence begins with its last switch.
      var last =
          new AtomicReference<>(
              new Seen(contextSwitches("blitz-idle"), rt.stats(), System.nanoTime()));
      Await.until(
          () -> {
            var now = new Seen(contextSwitches("blitz-idle"), rt.stats(), System.nanoTime());
            if (!now.sameAs(last.get())) {
              last.set(now);
            }
            return now.nanos() - last.get().nanos() > 300_000_000;
          },
          "300 ms of silence");
      assertThat(thread("blitz-idle-overseer").getState()).isEqualTo(Thread.State.WAITING);
      for (int i = 0; i < 1_000; i++) {
        stages.get(i).complete(i);
      }
      for (int i = 0; i < 1_000; i++) {
        assertThat(parked.get(i).await()).isEqualTo(i);
      }
    }
  }

  /** What an idle runtime leaves as it is, and when that was. */
  private record Seen(long switches, RuntimeStats stats, long nanos) {
    boolean sameAs(Seen other) {
      return switches == other.switches && stats.equals(other.stats);
    }
  }

  /** Times that threads of this process whose name begins so were switched from; 0 if unknown. */
  private static long contextSwitches(String namePrefix) throws IOException {
    Path tasks = Path.of("/proc/self/task");
    Assumptions.assumeTrue(Files.isDirectory(tasks), "needs /proc");
    long sum = 0;
    try (Stream<Path> dirs = Files.list(tasks)) {
      for (Path dir : dirs.toList()) {
        String status;
        try {
          status = Files.readString(dir.resolve("status"));
        } catch (IOException e) {
          continue; // that thread has ended
        }
        if (status.startsWith("Name:\t" + namePrefix)) {
          sum +=
              status
                  .lines()
                  .filter(l -> l.contains("ctxt_switches"))
                  .mapToLong(l -> Long.parseLong(l.substring(l.indexOf('\t') + 1).strip()))
                  .sum();
        }
      }
    }
    assertThat(sum).as("switches of " + namePrefix).isPositive();
    return sum;
  }

  // --- Failures that nobody asks for
  // --------------------------------------------------------------

  @Test
  void aFailureWhoseHandleIsGone_isToldAfterACollection() {
    var told = Collections.synchronizedList(new ArrayList<String>());
    try (var rt =
        BlitzRuntime.builder().workers(1).uncaughtHandler((what, t) -> told.add(what)).build()) {
      spawnFailing(rt, "forgotten");
      Await.untilCollected(
          () -> {
            rt.spawn(Futures.done()).await(); // the worker tells before it sleeps
            return !told.isEmpty();
          },
          "the handler to be told");
      assertThat(told).hasSize(1).first().asString().contains("forgotten", "nobody joined");
    }
    assertThat(told).hasSize(1);
  }

  /** On a stack frame of its own, so that no handle is left on this one. */
  private static void spawnFailing(BlitzRuntime rt, String name) {
    JoinHandle<Object> handle = rt.spawn(named(name), Futures.failed(new IOException("x")));
    Await.until(handle::isDone, "the failure");
  }

  /** The handler runs on a worker that is about to sleep: what it spawns must not sleep too. */
  @Test
  void aHandlerThatSpawns_isServedBeforeTheWorkerSleeps() {
    var told = new AtomicBoolean();
    var ran = new AtomicBoolean();
    var runtime = new ArrayList<BlitzRuntime>();
    try (var rt =
        BlitzRuntime.builder()
            .workers(1)
            .uncaughtHandler((what, t) -> {
              runtime
                  .getFirst()
                  .spawn(
                      Futures.lazy(() -> {
                        ran.set(true);
                        return Done.DONE;
                      }))
                  .detach();
              told.set(true);
            })
            .build()) {
      runtime.add(rt);
      spawnFailing(rt, "forgotten");
      Thread worker = thread("blitz-" + rt.name() + "-worker-0");
      Await.untilCollected(
          () -> {
            rt.spawn(Futures.done()).await();
            Await.untilWaiting(worker); // it tells before it sleeps
            return told.get();
          },
          "the handler to be told");
      Await.until(ran::get, "the task that the handler spawned");
    }
  }

  @Test
  void aFailureThatIsStillHeld_isToldAtClose() {
    var told = Collections.synchronizedList(new ArrayList<String>());
    JoinHandle<Object> held;
    try (var rt =
        BlitzRuntime.builder().workers(1).uncaughtHandler((what, t) -> told.add(what)).build()) {
      held = rt.spawn(named("held"), Futures.failed(new IOException("x")));
      Await.until(held::isDone, "the failure");
      assertThat(told).isEmpty();
    }
    assertThat(told).hasSize(1).first().asString().contains("held");
    assertThatThrownBy(held::await).hasRootCauseMessage("x");
  }

  @Test
  void detachRacingFailures_tellsEachOnce() throws Exception {
    var told = Collections.synchronizedList(new ArrayList<String>());
    int rounds = 500;
    try (var rt =
        BlitzRuntime.builder()
            .workers(2)
            .uncaughtHandler((what, t) -> told.add(t.getMessage()))
            .build()) {
      for (int i = 0; i < rounds; i++) {
        rt.spawn(Futures.failed(new IOException("f" + i))).detach();
      }
      Await.until(() -> rt.stats().live() == 0, "the tasks' ends"); // closing would cancel them
    }
    assertThat(told).hasSize(rounds).doesNotHaveDuplicates();
  }

  @Test
  void aHandlerThatThrows_isLogged_andTheRuntimeGoesOn() throws Exception {
    try (var log = new LogCapture();
        var rt =
            BlitzRuntime.builder()
                .workers(1)
                .uncaughtHandler((what, t) -> {
                  throw new IllegalStateException("bad handler");
                })
                .build()) {
      rt.spawn(Futures.failed(new IOException("x"))).detach();
      Await.until(() -> log.messages().size() == 2, "the failure and that of the handler");
      assertThat(log.messages().getFirst()).contains("uncaught failure of task");
      assertThat(log.messages().getLast()).contains("the uncaught handler");
      assertThat(rt.spawn(Futures.ready(1)).await()).isEqualTo(1);
    }
  }

  // --- Shields
  // ------------------------------------------------------------------------------------

  @Test
  void shields_nest255Deep_andNoDeeper() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(1).build()) {
      assertThat(rt.run(shielded(Futures.lazy(() -> 1), 255))).isEqualTo(1);
      var cleanups = new AtomicInteger();
      Future<Integer> inner = Futures.lazy(() -> 1).whenDone(cleanups::incrementAndGet);
      assertThatThrownBy(() -> rt.run(shielded(inner, 256)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("255");
      assertThat(cleanups).as("what was inside has been dropped").hasValue(1);
    }
  }

  private static <T> Future<T> shielded(Future<T> future, int depth) {
    Future<T> f = future;
    for (int i = 0; i < depth; i++) {
      f = Task.shielded(f);
    }
    return f;
  }

  @Test
  void aShieldWhoseInsideThrowsInDrop_isStillLowered() {
    var told = Collections.synchronizedList(new ArrayList<Throwable>());
    try (var rt =
        BlitzRuntime.builder()
            .workers(1)
            .closeTimeout(Timeouts.SHORT)
            .uncaughtHandler((what, t) -> told.add(t))
            .build()) {
      DropProbe<Integer> loser =
          DropProbe.<Integer>never("loser").throwingOnDrop(new IllegalStateException("bad drop"));
      JoinHandle<Object> task =
          rt.spawn(
              Futures.race(Task.shielded(loser), DropProbe.value("winner", 1, 1))
                  .andThen(v -> Futures.pending()));
      Await.until(
          () -> rt.dump().stream().anyMatch(l -> l.contains("[idle] waits for nothing")),
          "the task past its shield: " + rt.dump());
      assertThat(task.cancel()).isTrue();
      Await.until(task::isDone, "the cancelled task's end");
      assertThat(task.outcome()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(told).hasSize(1);
      loser.verifyReleased();
    }
  }

  @Test
  void aShieldThatNeverEnds_isGivenUpAtTheCloseDeadline() {
    var rt = BlitzRuntime.builder().workers(1).build();
    var drops = new AtomicInteger();
    JoinHandle<Object> task =
        rt.spawn(Task.shielded(Futures.pending().whenDone(drops::incrementAndGet)));
    Await.until(() -> rt.dump().size() == 1, "the task to be idle");
    CloseReport report = rt.close(Duration.ofMillis(20));
    assertThat(report.clean()).isFalse();
    assertThat(report.tasks()).hasSize(1).first().asString().contains("shield 1");
    assertThatThrownBy(task::await).isInstanceOf(CancelledException.class);
    assertThat(drops).hasValue(1);
  }

  @Test
  void cancelInEveryState_underLoad_resolvesEveryHandle() throws Exception {
    try (var rt = BlitzRuntime.builder().workers(2).build()) {
      for (int round = 0; round < 100; round++) {
        List<DropProbe<Integer>> probes = new ArrayList<>();
        List<JoinHandle<Integer>> tasks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          DropProbe<Integer> probe = DropProbe.value("p" + i, i % 7, i);
          probes.add(probe);
          tasks.add(rt.spawn(i % 2 == 0 ? probe : Task.shielded(probe)));
        }
        Race.run(2, index -> tasks.forEach(JoinHandle::cancel));
        for (JoinHandle<Integer> t : tasks) {
          Await.until(t::isDone, "the end of " + t);
        }
        probes.forEach(DropProbe::verifyReleased);
      }
      Await.until(() -> rt.stats().live() == 0, "no live task");
    }
  }
}
