package dev.blitz.io.internal.blocking;

import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.current.RuntimeThread;
import dev.blitz.io.internal.task.JoinCell;
import org.jspecify.annotations.Nullable;

/** A thread of the blocking pool. */
final class BlockingThread extends RuntimeThread {
  private final BlockingPool pool;

  /** What this thread runs; only this thread reads and writes it. */
  @Nullable BlockingCell<?> running;

  /** It does nothing for the pool any more; guarded by the pool's lock. It may be alive yet. */
  boolean left;

  BlockingThread(Home home, BlockingPool pool, String name) {
    super(home, name);
    this.pool = pool;
  }

  @Override
  public boolean isWorker() {
    return false;
  }

  @Override
  public @Nullable JoinCell<?> currentTask() {
    return running;
  }

  @Override
  public void run() {
    pool.drive(this);
  }
}
