package dev.blitz.io.internal.scheduler;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.blocking.BlockingLane;
import dev.blitz.io.internal.blocking.BlockingLanes;
import dev.blitz.io.internal.direct.DirectCell;
import dev.blitz.io.internal.driver.Driver;
import dev.blitz.io.internal.driver.KernelCalls;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.file.FileDriver;
import dev.blitz.io.internal.file.KernelFiles;
import dev.blitz.io.internal.file.LaneFiles;
import dev.blitz.io.internal.names.HostNames;
import dev.blitz.io.internal.names.NameSettings;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.task.Inheritance;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.SpawnHook;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.Spawner;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Starts the tasks of a runtime, and is what the packages of the API reach it by. */
public final class RuntimeApi implements Spawner, Services {
  private final Spawner runtime;
  private final Scheduler scheduler;
  private final BlockingLanes lanes;
  private final @Nullable SpawnHook hook;
  private final LaneFiles laneFiles;
  private final boolean isNative;
  private volatile @Nullable FileDriver files;
  private final HostNames names;

  /**
   * Starts nothing.
   *
   * @param runtime what users know of it
   * @param isNative whether files may be used by calls of the system, where that is possible
   */
  public RuntimeApi(
      Spawner runtime,
      Scheduler scheduler,
      BlockingLanes lanes,
      @Nullable SpawnHook hook,
      NameSettings naming,
      boolean isNative) {
    this.runtime = runtime;
    this.scheduler = scheduler;
    this.lanes = lanes;
    this.hook = hook;
    this.laneFiles =
        new LaneFiles(
            lanes.of(BlockingLane.FILES),
            lanes.of(BlockingLane.PIPES),
            lanes.of(BlockingLane.CLOSES),
            System.getProperty("os.arch", ""),
            () -> isNative && NativeAccess.obstacleOnLinux() == null,
            () -> driver().endpoints(),
            timers());
    this.isNative = isNative;
    this.names = new HostNames(naming, timers().clock()::nowNanos, this::lookUp);
    scheduler.setLanes(lanes);
    scheduler.home().open(this);
  }

  /** What users know of it. */
  public Spawner runtime() {
    return runtime;
  }

  // --- Tasks ---

  @Override
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    Objects.requireNonNull(future, "future");
    return start(Inheritance.of(future, hook), null);
  }

  @Override
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    return startDirect(body, null);
  }

  @Override
  public JoinHandle<Done> spawn(ThrowingRunnable body) {
    Objects.requireNonNull(body, "body");
    return Inheritance.isNone(hook)
        ? start(body, null)
        : startDirect(ThrowingRunnable.asSupplier(body), null);
  }

  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
    TaskExtras extras = TaskExtras.of(options);
    return extras.handOver(() -> {
      Objects.requireNonNull(future, "future");
      extras.refuseOnCancel();
      return start(Inheritance.of(extras.<T>around(future), hook), extras);
    });
  }

  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    TaskExtras extras = TaskExtras.of(options);
    return extras.handOver(() -> {
      Objects.requireNonNull(body, "body");
      extras.refuseOnCancel();
      return startDirect(extras.<T>around(body), extras);
    });
  }

  private <T> JoinHandle<T> startDirect(
      ThrowingSupplier<? extends T> body, @Nullable TaskExtras extras) {
    Objects.requireNonNull(body, "body");
    return start(Inheritance.of(body, hook), extras);
  }

  /**
   * Makes a task and puts it into a queue.
   *
   * @param work a Future; or a ThrowingSupplier or ThrowingRunnable, for a direct task
   * @throws java.util.concurrent.RejectedExecutionException if the runtime is closed
   */
  private <T> TaskCell<T> start(Object work, @Nullable TaskExtras extras) {
    scheduler.refuseIfClosing();
    StackRoom.forWake();
    boolean pinned = CarrierAccess.pin();
    try {
      Worker worker = WorkerThread.current(scheduler.home());
      Crew crew = scheduler.crew();
      if (worker == null) {
        crew.inject().reserve(1);
      }
      scheduler.counts().spawning(worker);
      TaskCell<T> task;
      try {
        task = newTask(work, extras);
        if (worker != null) {
          worker.schedule(task);
        } else {
          crew.push(task);
        }
      } catch (Throwable noMemory) {
        scheduler.ended(); // it has been counted, and is in no queue
        throw noMemory;
      }
      if (worker == null) {
        crew.notifyOne();
      }
      return task;
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
  }

  @SuppressWarnings("unchecked") // as the caller says
  private <T> TaskCell<T> newTask(Object work, @Nullable TaskExtras extras) {
    return work instanceof Future<?> future
        ? new TaskCell<>(scheduler, (Future<? extends T>) future, extras)
        : DirectCell.of(scheduler, work, extras);
  }

  // --- Calls that block ---

  @Override
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return spawnBlocking(body, false);
  }

  @Override
  public <T> JoinHandle<T> spawnBlocking(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    TaskExtras extras = TaskExtras.of(options);
    return extras.handOver(() -> {
      Objects.requireNonNull(body, "body");
      return submit(BlockingLane.USER, Inheritance.of(extras.<T>around(body), hook), false, extras);
    });
  }

  /**
   * As {@link #spawnBlocking}; a mandatory call runs even if the runtime closes before its turn.
   */
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body, boolean mandatory) {
    Objects.requireNonNull(body, "body");
    return submit(BlockingLane.USER, Inheritance.of(body, hook), mandatory, null);
  }

  private JoinHandle<Done> lookUp(ThrowingSupplier<Done> call, AutoCloseable owned) {
    TaskExtras extras = TaskExtras.of(SpawnOptions.owning(owned));
    return extras.handOver(() -> submit(BlockingLane.NAMES, extras.around(call), false, extras));
  }

  @Override
  public <T> JoinHandle<T> handshake(ThrowingSupplier<? extends T> call) {
    return submit(BlockingLane.HANDSHAKES, call, false, null);
  }

  private <T> JoinHandle<T> submit(
      BlockingLane lane,
      ThrowingSupplier<? extends T> call,
      boolean mandatory,
      @Nullable TaskExtras extras) {
    scheduler.refuseIfClosing();
    return lanes.of(lane).submit(call, mandatory, extras);
  }

  // --- The system ---

  @Override
  public Driver driver() {
    return scheduler.driver();
  }

  @Override
  public <T> JoinHandle<T> startProcess(ThrowingSupplier<? extends T> call) {
    return submit(BlockingLane.SPAWNS, call, false, null);
  }

  @Override
  public <T> JoinHandle<T> waitForPipe(ThrowingSupplier<? extends T> call) {
    return submit(BlockingLane.PIPES, call, false, null);
  }

  @Override
  public <T> JoinHandle<T> closePipe(ThrowingSupplier<? extends T> call) {
    return submit(BlockingLane.PIPES, call, true, null);
  }

  @Override
  public <T> JoinHandle<T> signalProcess(ThrowingSupplier<? extends T> call) {
    // Not the lane of starts: those may wait for ever, for the other end of a FIFO; no kill may.
    return submit(BlockingLane.PIPES, call, true, null);
  }

  @Override
  public Map<Object, String> describeTasks() {
    Map<Object, String> lines = new HashMap<>(scheduler.describeEachTask());
    lines.putAll(lanes.describeEachRunning());
    return lines;
  }

  @Override
  public FileDriver files() {
    FileDriver chosen = files;
    if (chosen == null) {
      chosen = chooseFiles();
      files = chosen;
    }
    return chosen;
  }

  private FileDriver chooseFiles() {
    KernelCalls calls = isNative ? driver().kernelCalls() : null;
    return calls == null || !KernelFiles.isServedBy(calls)
        ? laneFiles
        : new KernelFiles(laneFiles, calls);
  }

  /** Closes the files that are still open; their lane does it. */
  public void closeFiles() {
    laneFiles.closeAll();
  }

  @Override
  public HostNames names() {
    return names;
  }

  @Override
  public RuntimeTimers timers() {
    return scheduler.home().timers();
  }

  @Override
  public String toString() {
    return runtime.toString();
  }
}
