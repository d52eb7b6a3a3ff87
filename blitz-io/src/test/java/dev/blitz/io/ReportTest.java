package dev.blitz.io;

import static dev.blitz.io.task.SpawnOptions.named;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.task.Task;
import dev.blitz.io.time.ManualTimeSource;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import guest.Stuck;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a dump and the report of a close say: which task, where in the user's code, for how long.
 */
@Strict
class ReportTest {
  private final GraceForOthers grace = new GraceForOthers();
  private final BlitzRuntime rt = runtime("rep", 4);
  private final Stuck stuck = new Stuck();

  /**
   * The time of closes. It stands during a close at once until all threads have ended but those
   * that are stuck, and then the grace is over: so only what is stuck outlives it, however slow the
   * machine is.
   */
  private static final class GraceForOthers {
    /** Longer than the grace, and less than the patience after which a close returns unended. */
    private static final long LONG = Duration.ofSeconds(1).toNanos();

    private final List<Thread> started = new CopyOnWriteArrayList<>();
    private volatile Set<Thread> stuck = Set.of();
    private volatile boolean closing;
    private volatile long closedAt;

    Machine machine() {
      return new Machine(
          this::time,
          t -> {
            started.add(t);
            t.start();
          });
    }

    private long time() {
      return !closing ? System.nanoTime() : onlyTheStuckAreLeft() ? closedAt + LONG : closedAt;
    }

    private boolean onlyTheStuckAreLeft() {
      return started.stream()
          .allMatch(t -> hasEnded(t) || stuck.contains(t) || t.getName().endsWith("-close"));
    }

    /** One that is about to start has not; one that is TERMINATED may be alive for a moment yet. */
    private static boolean hasEnded(Thread t) {
      return t.getState() == Thread.State.TERMINATED && !t.isAlive();
    }

    /** From now on; {@code stuck}: the threads that will not end. */
    void begin(Thread... stuck) {
      this.stuck = Set.of(stuck);
      closedAt = System.nanoTime();
      closing = true;
    }
  }

  private BlitzRuntime runtime(String name, int workers) {
    var builder = BlitzRuntime.builder().workers(workers).name(name);
    builder.stallThreshold(Duration.ZERO).closeTimeout(Duration.ZERO);
    builder.machine = grace.machine();
    return builder.build();
  }

  /**
   * Closes it at once, when no worker looks for work any more: one that does is busy. {@code
   * stuck}: the threads that will not end.
   */
  private CloseReport closeBeside(Thread... stuck) {
    long workers = Stream.of(stuck).filter(t -> t.getName().contains("-worker-")).count();
    Await.until(() -> rt.stats().parked() == 4 - workers, "the other workers to sleep");
    grace.begin(stuck);
    return rt.close(Duration.ZERO);
  }

  @AfterEach
  void close() {
    stuck.letGo();
    rt.close(Timeouts.MEDIUM);
  }

  /** Lets several workers run and sleep again. */
  private void wakeAllWorkers() {
    for (int i = 0; i < 1_000; i++) {
      rt.spawn(Task.yieldNow()).detach();
    }
    Await.until(
        () -> rt.stats().live() == 0 && rt.stats().parked() == 4, "all workers to sleep again");
  }

  private static void assertOne(List<String> lines, String regex) {
    assertThat(lines).hasSize(1).first().asString().containsPattern(Pattern.compile(regex));
  }

  @Test
  void closeReport_ofAStuckPoll_namesTaskThreadAndUsersLine_notTheSleepers() throws Exception {
    wakeAllWorkers();
    rt.spawn(named("poller"), Futures.lazy(stuck::hold)).detach();
    Thread holder = stuck.awaitInside();
    CloseReport report = closeBeside(holder);
    assertThat(report.clean()).isFalse();
    assertOne(
        report.tasks(),
        "^task \\d+ 'poller' \\[running.*] runs on blitz-rep-worker-\\d at guest\\.Stuck\\.hold\\(");
    assertOne(
        report.threads(),
        "^blitz-rep-worker-\\d \\(RUNNABLE\\) runs task \\d+ 'poller' at guest\\.Stuck\\.hold\\(.*");
    assertThat(report.threads().getFirst()).contains("\n    at ").contains("WorkerThread.run");
  }

  @Test
  void closeReport_ofAStuckBlockingCall_namesItAndItsThread() throws Exception {
    wakeAllWorkers();
    rt.spawnBlocking(stuck::hold).detach();
    Thread holder = stuck.awaitInside();
    CloseReport report = closeBeside(holder);
    assertThat(report.clean()).isFalse();
    assertOne(report.tasks(), "^task \\d+ blocks blitz-rep-blocking-0 at guest\\.Stuck\\.hold\\(");
    assertOne(report.threads(), "^blitz-rep-blocking-0 \\(RUNNABLE\\) at guest\\.Stuck\\.hold\\(");
    assertThat(report.threads().getFirst()).contains("BlockingPool");
  }

  @Test
  void closeReport_besideAStuckPoll_alsoHasTheStuckBlockingThread() throws Exception {
    wakeAllWorkers(); // so that none starts during the close
    var blocking = new Stuck();
    rt.spawnBlocking(blocking::hold).detach();
    rt.spawn(named("poller"), Futures.lazy(stuck::hold)).detach();
    CloseReport report = closeBeside(stuck.awaitInside(), blocking.awaitInside());
    blocking.letGo();
    assertThat(report.tasks()).hasSize(2);
    assertThat(report.threads()).hasSize(2);
    assertThat(String.join("\n", report.threads())).contains("blitz-rep-blocking-0", "'poller'");
    assertThat(report.toString()).contains("2 tasks and 2 threads left");
  }

  @Test
  void closeReport_ofADirectTaskThatWaits_hasTheUsersLine_andItsWholeStack() throws Exception {
    var gate = new CompletableFuture<Done>();
    rt.spawn(
            named("waiter"),
            () -> Task.shielded(() -> stuck.waitFor(Futures.from(gate)))) // a close cannot end it
        .detach();
    stuck.awaitInside();
    Await.until(() -> dumpOf("waiter").contains("waits for"), "the task to wait");
    CloseReport report = closeBeside();
    gate.complete(Done.DONE);
    assertOne(report.tasks(), "^task \\d+ 'waiter' .*waits for .* at guest\\.Stuck\\.waitFor\\(");
    assertThat(report.tasks().getFirst().lines().count()).as("the whole stack").isGreaterThan(4);
    assertThat(report.threads()).as("nobody runs anything").isEmpty();
  }

  @Test
  void closeReport_ofADirectTaskThatRuns_hasTheUsersLine() throws Exception {
    rt.spawn(named("runner"), () -> Task.shielded(stuck::hold)).detach();
    stuck.awaitInside();
    CloseReport report = rt.close(Duration.ZERO);
    assertOne(report.tasks(), "^task \\d+ 'runner' .* at guest\\.Stuck\\.hold\\(");
    assertThat(report.toString()).contains("guest.Stuck.hold");
    stuck.letGo();
  }

  private String dumpOf(String name) {
    return rt.dump().stream().filter(l -> l.contains("'" + name + "'")).findFirst().orElse("");
  }

  @Test
  void dump_hasTasksInTheirFirstPoll_onceEach() throws Exception {
    rt.spawn(named("first"), Futures.lazy(stuck::hold)).detach();
    stuck.awaitInside();
    assertOne(
        rt.dump(), "'first' \\[running.*] runs on blitz-rep-worker-\\d at guest\\.Stuck\\.hold");
    stuck.letGo();
    Await.until(() -> rt.dump().isEmpty(), "the task's end");
  }

  @Test
  void dump_hasATaskThatHasWaitedAndRunsAgain_once() throws Exception {
    rt.spawn(named("again"), Task.yieldNow().map(d -> stuck.hold())).detach();
    stuck.awaitInside();
    assertOne(rt.dump(), "'again' .* runs on blitz-rep-worker-\\d at guest\\.Stuck\\.hold");
  }

  @Test
  void dump_hasDirectTasksInTheirFirstPoll() throws Exception {
    rt.spawn(named("direct"), stuck::hold).detach();
    stuck.awaitInside();
    assertOne(rt.dump(), "'direct' .* at guest\\.Stuck\\.hold");
  }

  @Test
  void dump_hasBlockingCalls() throws Exception {
    rt.spawnBlocking(stuck::hold).detach();
    stuck.awaitInside();
    assertOne(rt.dump(), "^task \\d+ blocks blitz-rep-blocking-0 at guest\\.Stuck\\.hold");
  }

  @Test
  void dump_ofTimers_saysTheTimeThatIsLeft() throws Exception {
    var clock = new ManualTimeSource(false);
    try (var manual = BlitzRuntime.builder().workers(1).clock(clock).build()) {
      manual.spawn(Task.sleep(Duration.ofMillis(3_650))).detach();
      manual.spawn(Futures.pending().timeout(Duration.ofMinutes(2))).detach();
      Await.until(() -> manual.stats().timers() == 2, "the tasks to wait");
      assertThat(manual.dump()).anyMatch(l -> l.endsWith("waits for a timer that is due in 3.6 s"));
      assertThat(manual.dump()).anyMatch(l -> l.endsWith("with a time-out in 2 min 0 s"));
      clock.advance(Duration.ofMillis(3_400));
      assertThat(manual.dump()).anyMatch(l -> l.endsWith("due in 250 ms"));
    }
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void close_logsTheReport() throws Exception {
    try (var log = new LogCapture();
        var short1 = runtime("l", 1)) {
      short1.spawn(named("poller"), Futures.lazy(stuck::hold)).detach();
      grace.begin(stuck.awaitInside());
      short1.close();
      stuck.letGo();
      assertThat(log.messages())
          .singleElement()
          .asString()
          .contains("runtime 'l' closed, but the deadline passed with 1 tasks and 1 threads left")
          .contains("guest.Stuck.hold");
    }
  }
}
