package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.RuntimeThread;
import org.jspecify.annotations.Nullable;

/** A thread that drives a worker, which is an object of its own. */
public final class WorkerThread extends RuntimeThread {
  private final Scheduler scheduler;

  /** What this thread drives; only this thread reads it. */
  private final Worker worker;

  WorkerThread(Scheduler scheduler, Worker worker, String name) {
    super(scheduler, name);
    this.scheduler = scheduler;
    this.worker = worker;
  }

  /** The worker that the calling thread drives for {@code scheduler}, or null. */
  static @Nullable Worker current(Scheduler scheduler) {
    return Thread.currentThread() instanceof WorkerThread t && t.scheduler == scheduler
        ? t.worker
        : null;
  }

  /** The context of the polls on this thread. */
  public PollContext context() {
    return worker.context();
  }

  @Override
  protected int workerIndex() {
    return worker.index();
  }

  @Override
  public boolean isWorker() {
    return true;
  }

  @Override
  public @Nullable JoinCell<?> currentTask() {
    return worker.context().task();
  }

  @Override
  public void run() {
    scheduler.drive(worker);
  }
}
