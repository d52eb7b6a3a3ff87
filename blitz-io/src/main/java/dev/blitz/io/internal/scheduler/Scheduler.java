package dev.blitz.io.internal.scheduler;

import dev.blitz.io.future.Done;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.blocking.BlockingLane;
import dev.blitz.io.internal.blocking.BlockingLanes;
import dev.blitz.io.internal.clock.ManualClock;
import dev.blitz.io.internal.current.BusyThreads;
import dev.blitz.io.internal.current.Failures;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.Places;
import dev.blitz.io.internal.current.TaskThreads;
import dev.blitz.io.internal.direct.DirectCell;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.Schedule;
import dev.blitz.io.internal.task.TaskCell;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Puts workers, queues and threads together, and is what tasks and the driver see of them. */
/* Implementation notes
 *
 * Each part has a class of its own: Crew (workers, queues, waking), IdleState (who sleeps and who searches),
 * WorkerThreads (which thread drives which worker), TimerSeat (who sleeps for the timers), Overseer, Closing,
 * TaskCounts, OwnedTasks. Parts get those that they need; only what makes them knows them all.
 */
public final class Scheduler implements Schedule, DriverHost {
  private final SchedulerConfig config;
  private final Driver driver;
  private final Crew crew;
  private final Home home;
  private final OwnedTasks owned;
  private final TaskCounts counts;
  private final WorkerThreads threads;
  private final Overseer overseer;
  private final IdleTime idleTime;
  private final Closing closing;
  private final Runnable clockListener;
  private @Nullable BlockingLanes lanes;

  /** Starts nothing yet. */
  public Scheduler(SchedulerConfig config, Driver driver) {
    int n = config.workers();
    if (n < 1 || n > SchedulerTuning.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + SchedulerTuning.MAX_WORKERS + ", not " + n);
    }
    this.config = config;
    this.driver = driver;
    crew = new Crew(n, driver, config.clock());
    clockListener = crew.seat()::deadlineMovedEarlier;
    home = newHome();
    owned = new OwnedTasks(n);
    threads = new WorkerThreads(crew, home, owned, config);
    overseer = new Overseer(crew, threads, home, config);
    idleTime = new IdleTime(crew, home.busy(), config.clock());
    var workers = new Worker[n];
    for (int i = 0; i < n; i++) {
      workers[i] = new Worker(crew, threads, overseer, idleTime, home, config, i);
    }
    crew.complete(workers, threads);
    counts = new TaskCounts(workers);
    closing = new Closing(crew, threads, overseer, owned, counts, home, config);
    driver.start(this);
    if (config.clock() instanceof ManualClock manual) {
      manual.addListener(clockListener);
    }
  }

  private Home newHome() {
    var failures =
        new Failures(
            config.uncaught(), config.fatalPolicy(), this::closeAfterError, this::failureKept);
    var busy = new BusyThreads(config.clock() instanceof ManualClock, clockListener);
    return new Home(
        failures,
        crew.seat().timers(),
        busy,
        new Places(config.inPlaceThreads()),
        new TaskThreads(config.name(), config.threadName("task"), this::forEachTaskThread),
        config.seed());
  }

  private void closeAfterError() {
    if (!home.isClosing()) {
      beginClosing();
    }
  }

  private void failureKept() {
    if (!home.isClosing()) {
      overseer.arm(); // where all workers sleep, it sees to the telling
    }
  }

  /** Those of direct tasks that have been suspended, and of those in their first poll. */
  private void forEachTaskThread(Consumer<Thread> action) {
    owned.forEach(task -> tellThread(task, action));
    for (Worker w : crew.workers()) {
      tellThread(w.context().peekTask(), action);
    }
    for (WorkerThread t : threads.spares().withoutWorker()) {
      tellThread(t.peekTask(), action); // it blocks in place
    }
  }

  private static void tellThread(@Nullable TaskCell<?> task, Consumer<Thread> action) {
    Thread thread = task instanceof DirectCell<?> direct ? direct.thread() : null;
    if (thread != null) {
      action.accept(thread);
    }
  }

  /** The runtime's blocking threads; before the first task. */
  void setLanes(BlockingLanes lanes) {
    this.lanes = lanes;
    idleTime.setPool(lanes::busyCount); // they may still wake tasks; only a manual clock asks
  }

  // --- What a task sees ---

  @Override
  public Home home() {
    return home;
  }

  /** The calling thread may be virtual: nothing may move it between the look and the push. */
  @Override
  public void schedule(QueueItem item) {
    boolean pinned = CarrierAccess.pin();
    try {
      Worker worker = WorkerThread.current(home);
      if (worker != null) {
        worker.schedule(item);
      } else {
        crew.post(item);
      }
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    Worker worker = WorkerThread.current(home);
    if (worker != null) {
      worker.reschedule(task);
    } else {
      crew.post(task);
    }
  }

  @Override
  public void own(TaskCell<?> task) {
    owned.add(task);
  }

  @Override
  public void disown(TaskCell<?> task) {
    owned.remove(task);
  }

  @Override
  public void ended() {
    counts.ended(WorkerThread.current(home));
    if (home.isClosing()) {
      closing.taskEnded();
    }
  }

  // --- What the driver sees ---

  @Override
  public int currentWorker() {
    Worker worker = WorkerThread.current(home);
    return worker == null ? -1 : worker.index();
  }

  @Override
  public long nanoTime() {
    return config.machine().nanoTime();
  }

  @Override
  public void callWorker() {
    crew.callWorker();
  }

  @Override
  public boolean callBlocking(Runnable call) {
    BlockingLanes there = lanes;
    if (there == null || home.isClosing()) {
      return false;
    }
    try {
      there
          .of(BlockingLane.CLOSES)
          .submit(
              () -> {
                call.run();
                return Done.DONE;
              },
              true,
              null)
          .detach();
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  // --- Closing ---

  /** Throws when no new task may begin, here or in the blocking pool. */
  void refuseIfClosing() {
    if (home.isClosing()) {
      throw new RejectedExecutionException(
          "runtime '" + config.name() + "' is closed: it takes no new tasks");
    }
  }

  /** Takes no new tasks and cancels all there are. */
  public void beginClosing() {
    home.beginClosing();
    closing.cancelAll();
  }

  /**
   * Waits until every task has ended.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitTasks(LongSupplier deadlineNanos) {
    return closing.awaitTasks(deadlineNanos);
  }

  /**
   * Ends the threads, and every task that is still there.
   *
   * @return the threads that did not end by the deadline
   */
  public List<Thread> terminate(LongSupplier deadlineNanos) {
    @Nullable List<Thread> alive = null;
    try {
      alive = closing.terminate(deadlineNanos);
      home.failures().unjoined().reportAll();
      return alive;
    } finally {
      endDriver(alive);
    }
  }

  /** {@code stuck}: threads that may still use the driver; null if that is not known. */
  private void endDriver(@Nullable List<Thread> stuck) {
    if (config.clock() instanceof ManualClock manual) {
      manual.removeListener(clockListener);
    }
    if (stuck != null && stuck.isEmpty()) {
      driver.close();
      return;
    }
    try {
      driver.closeSockets(); // a thread that is stuck must not keep ports and peers waiting
    } finally {
      if (stuck != null) {
        closing.closeDriverAfter(List.copyOf(stuck));
      }
    }
  }

  // --- Looking in ---

  /** What each task does or waits for that has begun, a line for each. */
  public List<String> describeTasks() {
    return sightings().tasks(false);
  }

  /** The same, by task. */
  public Map<TaskCell<?>, String> describeEachTask() {
    return sightings().eachTask(false);
  }

  /** The same for a report, with the whole stacks of tasks that have threads of their own. */
  public List<String> describeTasksFully() {
    return sightings().tasks(true);
  }

  /** The worker threads that are not asleep, with what they do. */
  public Map<Thread, String> describeBusyThreads() {
    return sightings().busyThreads();
  }

  private Sightings sightings() {
    return new Sightings(crew, threads, owned);
  }

  /** A thread with a stack, as text. */
  public static String describe(Thread thread) {
    return Sightings.describe(thread, "", thread.getStackTrace());
  }

  Crew crew() {
    return crew;
  }

  TaskCounts counts() {
    return counts;
  }

  /** What the runtime does its I/O with. */
  public Driver driver() {
    return driver;
  }
}
