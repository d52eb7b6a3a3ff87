package dev.blitz.io.internal.task;

import dev.blitz.io.internal.timer.RuntimeTimers;
import org.jspecify.annotations.Nullable;

/** A thread that belongs to a runtime: a worker or a thread of the blocking pool. */
public abstract class RuntimeThread extends Thread {
  private final TaskHost host;

  /** The task-locals in force; only for this thread. */
  @Nullable Bindings bindings;

  protected RuntimeThread(TaskHost host, String name) {
    super(
        null, null, name, 0, false); // inherits no thread-locals: what started it is a coincidence
    this.host = host;
    setDaemon(true);
  }

  /** The runtime's inside. */
  public final TaskHost host() {
    return host;
  }

  /** Whether this thread polls tasks, so that it must never block. */
  public abstract boolean isWorker();

  /**
   * Gives this thread's worker to another thread, before a call that blocks; only on this thread.
   *
   * @return whether it did: not if there is no worker, or no other thread
   */
  public boolean handOver() {
    return false;
  }

  /** Of the worker that this thread drives, or {@link RuntimeTimers#NO_WORKER}. */
  protected int workerIndex() {
    return RuntimeTimers.NO_WORKER;
  }

  /** The worker of the runtime with these timers that the calling thread drives, or NO_WORKER. */
  public static int workerHere(RuntimeTimers timers) {
    return Caller.pollingThread() instanceof RuntimeThread t && t.host.timers() == timers
        ? t.workerIndex()
        : RuntimeTimers.NO_WORKER;
  }

  /** The task that this thread is running, or null; only for this thread. */
  public @Nullable JoinCell<?> currentTask() {
    return null;
  }
}
