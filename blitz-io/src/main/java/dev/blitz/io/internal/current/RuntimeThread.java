package dev.blitz.io.internal.current;

import dev.blitz.io.internal.timer.RuntimeTimers;
import org.jspecify.annotations.Nullable;

/** A thread that belongs to a runtime: a worker or a thread of the blocking pool. */
public abstract class RuntimeThread extends Thread implements Inside {
  private final Home home;

  /** The task-locals in force; only for this thread. */
  private @Nullable Bindings bindings;

  /** Only for this thread. */
  private @Nullable CallLimit limit;

  /** Written by this thread, read by those who interrupt it, after they did. */
  private volatile @Nullable Runnable wait;

  protected RuntimeThread(Home home, String name) {
    super(
        null, null, name, 0, false); // inherits no thread-locals: what started it is a coincidence
    this.home = home;
    setDaemon(true);
  }

  @Override
  public final Home home() {
    return home;
  }

  /** Whether this thread polls tasks, so that it must never block. */
  public abstract boolean isWorker();

  /** What came of a hand-over. */
  public enum HandOver {
    /** Another thread has the worker. */
    DONE,
    /** There is no worker, or no other thread. */
    NONE,
    /** As many calls block in place as may: one that can wait takes a place first. */
    FULL
  }

  /**
   * Gives this thread's worker to another thread, before a call that blocks; only on this thread.
   *
   * @param hasPlace whether the caller has {@linkplain Places#take taken a place}; it is given back
   *     when the thread has left its poll, or at once if there is no hand-over
   */
  public HandOver handOver(boolean hasPlace) {
    return HandOver.NONE;
  }

  /** Of the worker that this thread drives, or {@link RuntimeTimers#NO_WORKER}. */
  protected int workerIndex() {
    return RuntimeTimers.NO_WORKER;
  }

  /** A direct task that this thread carries has used up its budget. */
  public void countForcedYield() {}

  /** The task that this thread is running, or null; only for this thread. */
  @Override
  public @Nullable Object currentTask() {
    return null;
  }

  @Override
  public final @Nullable Bindings bindings() {
    return bindings;
  }

  @Override
  public final void setBindings(@Nullable Bindings bindings) {
    this.bindings = bindings;
  }

  @Override
  public final @Nullable CallLimit limit() {
    return limit;
  }

  @Override
  public final void setLimit(@Nullable CallLimit limit) {
    this.limit = limit;
  }

  @Override
  public final @Nullable Runnable setWait(@Nullable Runnable wake) {
    Runnable before = wait;
    wait = wake;
    return before;
  }

  @Override
  public final void interrupt() {
    try {
      super.interrupt();
    } finally { // whatever the channel throws that it closes
      Runnable wake = wait;
      if (wake != null) {
        wake.run();
      }
    }
  }
}
