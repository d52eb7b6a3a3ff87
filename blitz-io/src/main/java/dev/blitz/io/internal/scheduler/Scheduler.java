package dev.blitz.io.internal.scheduler;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.blocking.BlockingLane;
import dev.blitz.io.internal.blocking.BlockingLanes;
import dev.blitz.io.internal.blocking.BlockingPool;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.direct.DirectCell;
import dev.blitz.io.internal.direct.ForeignContinuation;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.DriverHost;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.internal.task.TaskFailure;
import dev.blitz.io.internal.task.TaskHost;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.TimeSource;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Spawner;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Holds workers, queues and idle state together, and is what a task sees of its runtime. */
/* Implementation notes
 *
 * What is a concept of its own is in a class of its own: IdleState (who sleeps and who searches), WorkerThreads (which thread
 * drives which worker), TimerSeat (who sleeps for the timers), BusyThreads (who else may wake tasks), Closing. Here is what
 * they meet in: queues, notification, counting.
 *
 * Counting: ids are sequence * 128 + lane, a lane per worker and some that all other threads share, so the sequence
 * numbers are also the counts of spawned tasks. Spawned is counted before a task can run and ended after it has
 * its outcome; `live` sums ended before spawned, so it never misses a task that exists.
 */
public final class Scheduler implements TaskHost, DriverHost {
  private static final int LANES = 128;

  private final Spawner runtime;
  private final SchedulerConfig config;
  private final Worker[] workers;
  private final IdleState idle;
  private final InjectQueue inject = new InjectQueue();
  private final OwnedTasks owned;
  private final DirectThreads directThreads;
  private final UnjoinedFailures unjoined;
  private final Driver driver;
  private final RuntimeTimers timers;
  private final Overseer overseer;
  private final WorkerThreads threads;
  private final TimerSeat seat = new TimerSeat(this);
  private final BusyThreads busy = new BusyThreads(this);
  private final Closing end;
  private final Runnable clockListener = seat::deadlineMovedEarlier;
  private final OutsideCounts spawnedOutside = new OutsideCounts();
  private final LongAdder endedOutside = new LongAdder();
  private final String taskThreadName;
  private @Nullable BlockingLanes lanes;
  private volatile boolean closing;

  /** Starts nothing yet. */
  public Scheduler(Spawner runtime, SchedulerConfig config, Driver driver) {
    this.runtime = runtime;
    this.config = config;
    this.driver = driver;
    this.taskThreadName = threadName("task");
    this.timers = new RuntimeTimers(config.clock(), config.workers(), seat::deadlineMovedEarlier);
    config.clock().addListener(clockListener);
    int n = config.workers();
    if (n < 1 || n > SchedulerTuning.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be 1 to " + SchedulerTuning.MAX_WORKERS + ", not " + n);
    }
    idle = new IdleState(n);
    owned = new OwnedTasks(n);
    directThreads = new DirectThreads(this, owned, config.name());
    unjoined = new UnjoinedFailures(config.uncaught());
    overseer = new Overseer(this, n, config.stallNanos());
    threads = new WorkerThreads(this, config);
    end = new Closing(this, owned, threads);
    workers = new Worker[n];
    for (int i = 0; i < n; i++) {
      workers[i] = new Worker(this, i, config.spin(), config.seed() + i, config.drawn());
      idle.announceParked(i);
    }
    driver.start(this);
  }

  // --- Spawning ---

  /**
   * Makes a task and puts it into a queue.
   *
   * @throws RejectedExecutionException if the runtime is closed
   */
  public <T> TaskCell<T> spawn(Future<? extends T> future, @Nullable TaskExtras extras) {
    refuseIfClosing();
    StackRoom.forWake();
    boolean pinned = CarrierAccess.pin();
    try {
      Worker worker = WorkerThread.current(this);
      if (worker == null) {
        inject.reserve(1);
      }
      long id = newId(worker);
      TaskCell<T> task;
      try {
        task = new TaskCell<>(this, id, future, extras);
      } catch (Throwable noMemory) {
        ended(); // it has been counted
        throw noMemory;
      }
      return enqueueNew(task, worker);
    } finally {
      unpinIf(pinned);
    }
  }

  /**
   * Makes a direct task and puts it into a queue.
   *
   * @param function a ThrowingSupplier or ThrowingRunnable to run
   * @throws RejectedExecutionException if the runtime is closed
   */
  public <T> TaskCell<T> spawnDirect(Object function, @Nullable TaskExtras extras) {
    refuseIfClosing();
    StackRoom.forWake();
    boolean pinned = CarrierAccess.pin();
    try {
      Worker worker = WorkerThread.current(this);
      if (worker == null) {
        inject.reserve(1);
      }
      long id = newId(worker);
      TaskCell<T> task;
      try {
        task = DirectCell.of(this, id, function, extras);
      } catch (Throwable noMemory) {
        ended(); // it has been counted
        throw noMemory;
      }
      return enqueueNew(task, worker);
    } finally {
      unpinIf(pinned);
    }
  }

  private long newId(@Nullable Worker worker) {
    return worker == null
        ? spawnedOutside.nextId(SchedulerTuning.MAX_WORKERS, LANES)
        : worker.stats().add(WorkerStats.SPAWNED, 1) * LANES + worker.index();
  }

  private <T> TaskCell<T> enqueueNew(TaskCell<T> task, @Nullable Worker worker) {
    if (worker != null) {
      worker.schedule(task);
    } else {
      inject(task);
    }
    return task;
  }

  private static void unpinIf(boolean pinned) {
    if (pinned) {
      CarrierAccess.unpin();
    }
  }

  /** Throws when no new task may begin, here or in the blocking pool. */
  public void refuseIfClosing() {
    if (closing) {
      throw new RejectedExecutionException(
          "runtime '" + config.name() + "' is closed: it takes no new tasks");
    }
  }

  @Override
  public void schedule(TaskCell<?> task) {
    enqueue(task);
  }

  @Override
  public void carry(Runnable continuation) {
    enqueue(new ForeignContinuation(continuation));
  }

  /** The calling thread may be virtual: nothing may move it between the look and the push. */
  private void enqueue(QueueItem item) {
    boolean pinned = CarrierAccess.pin();
    try {
      Worker worker = WorkerThread.current(this);
      if (worker != null) {
        worker.schedule(item);
      } else {
        inject(item);
      }
    } finally {
      unpinIf(pinned);
    }
  }

  @Override
  public void takePlace() throws InterruptedException {
    threads.spares().takePlace();
  }

  @Override
  public void giveBackPlace() {
    threads.spares().giveBackPlace();
  }

  @Override
  public @Nullable Object threadListing() {
    return directThreads.listing();
  }

  @Override
  public void orphaned(Thread thread) {
    directThreads.addOrphan(thread);
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    Worker worker = WorkerThread.current(this);
    if (worker != null) {
      worker.reschedule(task);
    } else {
      inject(task);
    }
  }

  private void inject(QueueItem item) {
    if (inject.push(item)) {
      notifyOne();
    } else {
      Abandoning.abandon(item);
    }
  }

  // --- Waking workers ---

  /** After a task was posted: wakes a parked worker unless one is searching already. */
  void notifyOne() {
    for (; ; ) {
      int index = idle.claim(seat.sitter());
      if (index >= 0) {
        wake(index);
        return;
      }
      if (index == IdleState.NOBODY || !hasQueuedWork()) {
        return;
      }
    }
  }

  /** The same, if there is work in a queue that others may take from. */
  void notifyIfWorkWaits() {
    if (hasQueuedWork()) {
      notifyOne();
    }
  }

  /**
   * Wakes one more worker even though some are searching: those that search may not see this work.
   */
  void wakeAnother() {
    int index = idle.claimAnother(seat.sitter());
    if (index >= 0) {
      wake(index);
    } else if (index == IdleState.IN_VAIN) {
      notifyIfWorkWaits();
    }
  }

  private void wake(int index) {
    if (threads.isStarted(index)) {
      driver.unpark(index);
    } else {
      threads.start(index);
    }
  }

  /** Work that a searcher can take: rings and the inject queue. */
  boolean hasQueuedWork() {
    if (inject.length() > 0) {
      return true;
    }
    for (Worker w : workers) {
      if (w.queue().length() > 0) {
        return true;
      }
    }
    return false;
  }

  // --- Time ---

  /** The runtime's blocking threads; before the first task. */
  public void setLanes(BlockingLanes lanes) {
    this.lanes = lanes;
    busy.setPool(lanes::busyCount); // they may still wake tasks; only a manual clock asks
  }

  @Override
  public void busyElsewhere(int delta) {
    if (clock().isManual()) {
      busy.add(delta);
      if (delta < 0) {
        quiet();
      }
    }
  }

  @Override
  public void quiet() {
    if (clock().isManual()) {
      seat.deadlineMovedEarlier(); // the sitter looks whether everything is idle now
    }
  }

  @Override
  public void callWorker() {
    for (int i = 0; i < workers.length; i++) {
      if (idle.isParked(i) && threads.isStarted(i)) {
        driver.unpark(i); // not claimed: it looks at timers and driver, and goes on sleeping
        return;
      }
    }
    wakeAnother(); // none that is parked has a thread
  }

  @Override
  public boolean callBlocking(Runnable call) {
    try {
      refuseIfClosing();
      lane(BlockingLane.CLOSES)
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

  @Override
  public <T> JoinHandle<T> lookUp(ThrowingSupplier<? extends T> call) {
    refuseIfClosing();
    return lane(BlockingLane.NAMES).submit(call, false, null);
  }

  private BlockingPool lane(BlockingLane lane) {
    BlockingLanes there = lanes;
    if (there == null) {
      throw new IllegalStateException(runtime + " is not built yet");
    }
    return there.of(lane);
  }

  // --- Driving ---

  /** Drives a worker until the end, or until {@code thread} has handed it over. */
  void drive(Worker worker, WorkerThread thread) {
    driver.attach(worker.index());
    while (!worker.run(thread)) {
      // What it threw has been told; a worker that gave up would take its queue with it.
    }
  }

  // --- What a task sees ---

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
    Worker worker = WorkerThread.current(this);
    if (worker != null) {
      worker.stats().addRelease(WorkerStats.ENDED, 1);
    } else {
      endedOutside.increment();
    }
    if (closing) {
      end.taskEnded();
    }
  }

  @Override
  public void keepUnjoined(JoinCell<?> task, TaskFailure failure) {
    unjoined.add(task, failure);
    if (!closing) {
      overseer.arm(); // where all workers sleep, it sees to the telling
    }
  }

  @Override
  public void forgetUnjoined(TaskFailure failure) {
    unjoined.forget(failure);
  }

  @Override
  public void uncaught(String what, Throwable failure) {
    @Nullable Throwable second = null;
    try {
      second = Uncaught.tell(config.uncaught(), what, failure);
    } finally { // whatever telling throws, with no memory left for it
      if (TaskFailure.isFatal(failure) || TaskFailure.isFatal(second)) {
        obeyFatalPolicy();
      }
    }
  }

  @Override
  public void notStarted(String what, Throwable failure) {
    Uncaught.tell(config.uncaught(), what, failure);
  }

  private void obeyFatalPolicy() {
    switch (config.fatalPolicy()) {
      case FAIL_TASK -> {}
      case CLOSE_RUNTIME -> {
        if (!closing) {
          beginClosing();
        }
      }
      case HALT_JVM -> Runtime.getRuntime().halt(134);
    }
  }

  @Override
  public Spawner runtime() {
    return runtime;
  }

  // --- Closing ---

  /** Takes no new tasks and cancels all there are. */
  public void beginClosing() {
    closing = true;
    end.cancelAll();
  }

  /**
   * Waits until every task has ended.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitTasks(LongSupplier deadlineNanos) {
    return end.awaitTasks(deadlineNanos);
  }

  /**
   * Ends the threads, and every task that is still there.
   *
   * @return the threads that did not end by the deadline
   */
  public List<Thread> terminate(LongSupplier deadlineNanos) {
    List<Thread> alive = end.terminate(deadlineNanos);
    unjoined.reportAll();
    config.clock().removeListener(clockListener);
    if (alive.isEmpty()) {
      driver.close();
    } else {
      driver.closeSockets(); // a thread that is stuck must not keep ports and peers waiting
      end.closeDriverAfter(List.copyOf(alive));
    }
    return alive;
  }

  boolean wakeIdleAfterClose() {
    return end.wakeIdleAfterClose();
  }

  // --- Looking in ---

  /** Tasks that have been spawned and have not ended. */
  public long live() {
    long ended = endedOutside.sum();
    for (Worker w : workers) {
      ended += w.stats().getAcquire(WorkerStats.ENDED);
    }
    return spawned() - ended;
  }

  /** Tasks ever spawned. */
  public long spawned() {
    long spawned = spawnedOutside.sum();
    for (Worker w : workers) {
      spawned += w.stats().getAcquire(WorkerStats.SPAWNED);
    }
    return spawned;
  }

  /** What each task does or waits for that has begun, a line for each. */
  public List<String> describeTasks() {
    return new Sightings(this, owned).tasks(false);
  }

  /** The same for a report, with the whole stacks of tasks that have threads of their own. */
  public List<String> describeTasksFully() {
    return new Sightings(this, owned).tasks(true);
  }

  /** The worker threads that are not asleep, with what they do. */
  public Map<Thread, String> describeBusyThreads() {
    return new Sightings(this, owned).busyThreads();
  }

  /** A thread with a stack, as text. */
  public static String describe(Thread thread) {
    return Sightings.describe(thread, "", thread.getStackTrace());
  }

  String name() {
    return config.name();
  }

  String threadName(String role) {
    return "blitz-" + config.name() + "-" + role;
  }

  @Override
  public String taskThreadName() {
    return taskThreadName;
  }

  Worker[] workers() {
    return workers;
  }

  IdleState idle() {
    return idle;
  }

  InjectQueue inject() {
    return inject;
  }

  WorkerThreads threads() {
    return threads;
  }

  TimerSeat seat() {
    return seat;
  }

  BusyThreads busy() {
    return busy;
  }

  Overseer overseer() {
    return overseer;
  }

  UnjoinedFailures unjoined() {
    return unjoined;
  }

  @Override
  public Driver driver() {
    return driver;
  }

  @Override
  public int currentWorker() {
    Worker worker = WorkerThread.current(this);
    return worker == null ? -1 : worker.index();
  }

  @Override
  public RuntimeTimers timers() {
    return timers;
  }

  Consumer<Thread> starter() {
    return config.starter();
  }

  TimeSource clock() {
    return config.clock();
  }

  @Override
  public boolean isClosing() {
    return closing;
  }

  boolean isTerminating() {
    return threads.isTerminating();
  }
}
