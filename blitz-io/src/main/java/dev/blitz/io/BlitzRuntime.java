package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.blocking.BlockingLane;
import dev.blitz.io.internal.blocking.BlockingLanes;
import dev.blitz.io.internal.blocking.BlockingPool;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.internal.scheduler.RuntimeApi;
import dev.blitz.io.internal.scheduler.Scheduler;
import dev.blitz.io.internal.scheduler.SchedulerStats;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.observe.RuntimeStats;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Spawner;
import dev.blitz.io.task.TaskFailedException;
import dev.blitz.io.time.RuntimeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;

/**
 * An async runtime: workers that poll tasks, a blocking pool, and a clock.
 *
 * <p>A process may have any number of runtimes. Threads are started when they are needed and are
 * daemon threads. Closing a runtime cancels its tasks and waits for them; afterwards no thread is
 * left. An idle runtime uses no CPU. Thread safe.
 *
 * {@snippet :
 * try (BlitzRuntime runtime = BlitzRuntime.builder().workers(2).name("demo").build()) {
 *   JoinHandle<Integer> answer = runtime.spawn(Futures.lazy(() -> 6 * 7));
 *   System.out.println(answer.await());
 * }
 * }
 */
public final class BlitzRuntime implements Spawner, AutoCloseable {
  private final String name;
  private final Duration closeTimeout;
  private final Scheduler scheduler;
  private final BlockingPool blocking;
  private final RuntimeApi api;
  private final RuntimeEnd end;
  private final RuntimeClock clock;

  BlitzRuntime(RuntimeBuilder b) {
    name = b.name;
    closeTimeout = b.closeTimeout;
    clock = new RuntimeClock(b.clock);
    Driver driver =
        b.ownBackend != null
            ? Backends.driverOf(b.ownBackend, b.workers, b.clock)
            : Backends.driver(b.backend, b.workers, b.clock);
    scheduler = new Scheduler(b.schedulerConfig(), driver);
    if (b.development) {
      scheduler.home().lookForForgotten();
    }
    var lanes =
        new BlockingLanes(
            scheduler.home(),
            "blitz-" + name + "-",
            b.blockingThreads,
            b.blockingKeepAlive,
            b.machine);
    blocking = lanes.of(BlockingLane.USER);
    api = new RuntimeApi(this, scheduler, lanes, b.spawnHook, b.nameSettings(), !b.jdkFiles);
    var steps = new CloseSteps(scheduler, api, lanes, b.machine);
    end =
        new RuntimeEnd(
            scheduler.home(),
            "blitz-" + name + "-close",
            b.machine,
            steps,
            steps::soFar,
            CLOSE_PATIENCE_NANOS);
  }

  /** A runtime with defaults: one worker per processor. */
  public static BlitzRuntime create() {
    return builder().build();
  }

  /** To make a runtime with settings of your own. */
  public static RuntimeBuilder builder() {
    return new RuntimeBuilder();
  }

  /**
   * The runtime whose task or blocking call is running on this thread.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static BlitzRuntime current() {
    return (BlitzRuntime) ((RuntimeApi) Current.required("this").api()).runtime();
  }

  /** The name, as in the names of its threads. */
  public String name() {
    return name;
  }

  /** The time as this runtime's timers see it; a test's clock moves it. */
  public RuntimeClock clock() {
    return clock;
  }

  /**
   * What this runtime does its I/O with, or, if nothing is available here, why: tasks and timers
   * work without. The first call, or the first socket, looks for it.
   */
  public BackendProbe backend() {
    return scheduler.driver().backend();
  }

  // --- Tasks ---

  @Override
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    return api.spawn(future);
  }

  /**
   * Starts a direct task: runs {@code body} on a virtual thread of its own, where it may wait with
   * {@code await()}. The thread is carried by this runtime's workers where the JVM allows it (see
   * {@link #carriers()}), otherwise by the JDK's. Cancelling the task interrupts it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if this runtime is closed
   */
  @Override
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    return api.spawn(body);
  }

  @Override
  public JoinHandle<Done> spawn(ThrowingRunnable body) {
    return api.spawn(body);
  }

  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
    return api.spawn(options, future);
  }

  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return api.spawn(options, body);
  }

  @Override
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return api.spawnBlocking(body);
  }

  @Override
  public <T> JoinHandle<T> spawnBlocking(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return api.spawnBlocking(options, body);
  }

  /**
   * As {@link #spawnBlocking}, for a call that must run even if the runtime closes before its turn.
   */
  public <T> JoinHandle<T> spawnMandatoryBlocking(ThrowingSupplier<? extends T> body) {
    return api.spawnBlocking(body, true);
  }

  /**
   * Runs {@code future} as a task and waits for its result on the calling thread.
   *
   * @throws Exception what the future throws
   * @throws IllegalStateException if called inside a poll, whose worker would wait
   */
  public <T> T run(Future<? extends T> future) throws Exception {
    Objects.requireNonNull(future, "future");
    refuseInsidePoll();
    return resultOf(spawn(SpawnOptions.named("main"), future));
  }

  /**
   * Runs {@code body} as a direct task and waits for its result on the calling thread.
   *
   * @throws Exception what the body throws
   * @throws IllegalStateException if called inside a poll, whose worker would wait
   */
  public <T> T run(ThrowingSupplier<? extends T> body) throws Exception {
    refuseInsidePoll();
    return resultOf(spawn(SpawnOptions.named("main"), body));
  }

  /** As {@link #run(ThrowingSupplier)}, for a body without a result. */
  public void run(ThrowingRunnable body) throws Exception {
    refuseInsidePoll();
    resultOf(spawn(SpawnOptions.named("main"), body));
  }

  private static void refuseInsidePoll() {
    if (Thread.currentThread() instanceof RuntimeThread t && t.isWorker()) {
      throw new IllegalStateException(
          "run(...) was called inside a task of runtime '"
              + current().name()
              + "': it would block that worker; spawn the future or return it instead");
    }
  }

  private static <T> T resultOf(JoinHandle<T> main) throws Exception {
    try {
      return main.await();
    } catch (TaskFailedException e) {
      throw RunFailure.of(e);
    } catch (CancellationException e) {
      main.cancel(); // if the calling thread was interrupted, nobody waits for the task any more
      throw e;
    }
  }

  /** This runtime as an executor: each command is a task on a worker and must not block. */
  public ExecutorService executor() {
    return new RuntimeExecutor(this);
  }

  /**
   * This runtime as an executor for later: delays and periods are its timers, so they follow its
   * clock. Each command is a task on a worker and must not block.
   */
  public ScheduledExecutorService scheduledExecutor() {
    return new ScheduledRuntimeExecutor(this, scheduler.home().timers());
  }

  // --- Looking in ---

  /** Who carries the threads of direct tasks in this JVM, and why. */
  public Carriers carriers() {
    return Carriers.here();
  }

  /** The counters, taken now. */
  public RuntimeStats stats() {
    return SchedulerStats.of(
        scheduler,
        new RuntimeStats.Blocking(
            blocking.submitted(),
            blocking.threadCount(),
            blocking.idleCount(),
            blocking.queueLength()));
  }

  /**
   * What each task is doing or waiting for now, one line a task: for one that waits what for, for a
   * timer in how long; for one that runs, blocks or has a thread of its own, the innermost line of
   * the user's. Tasks that are queued for their first turn are not listed; {@link
   * RuntimeStats#live()} counts them too. Looks at a stack per direct task: not for every second.
   */
  public List<String> dump() {
    List<String> lines = new ArrayList<>(scheduler.describeTasks());
    lines.addAll(blocking.describeRunning());
    return lines;
  }

  // --- Closing ---

  /**
   * Closes with the builder's time limit (30 seconds if none was set), and logs what is still
   * running if that passes.
   */
  @Override
  public void close() {
    CloseReport report = close(closeTimeout);
    if (!report.clean()) {
      FailureLog.tryLog(System.Logger.Level.WARNING, "runtime '" + name + "' " + report, null);
    }
  }

  /**
   * Stops taking tasks, cancels those there are, waits for them, then for the blocking pool, then
   * ends the threads. When the deadline passes the rest is given up and reported. Closing again
   * returns the same report.
   *
   * <p>Any thread may close a runtime except its own: also a task of another runtime, and a virtual
   * thread that one of its tasks has started. If several do at once, each returns by its own
   * deadline; the rest is given up at the latest of them, and who returns before gets a report of
   * what is running then.
   *
   * @throws IllegalStateException if called by a thread of this runtime, which would wait for
   *     itself
   */
  public CloseReport close(Duration deadline) {
    Objects.requireNonNull(deadline, "deadline");
    if (Current.home() == scheduler.home()) {
      throw new IllegalStateException(
          "runtime '"
              + name
              + "' cannot be closed by its own "
              + Telling.of(Thread.currentThread())
              + ", which would wait for itself: return from it, and close the runtime where it was"
              + " made");
    }
    return end.await(saturatedNanos(deadline));
  }

  /**
   * How long the end may take after the deadline before a close returns without it: it calls the
   * user's handler and drops futures, which takes microseconds unless they wait for something.
   */
  private static final long CLOSE_PATIENCE_NANOS = 10_000_000_000L;

  private static long saturatedNanos(Duration d) {
    if (d.isNegative()) {
      return 0;
    }
    // A century of nanoseconds: far enough, and sums with nanoTime do not overflow.
    return d.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE / 4 : d.toNanos();
  }

  @Override
  public String toString() {
    return "BlitzRuntime[" + name + "]";
  }
}
