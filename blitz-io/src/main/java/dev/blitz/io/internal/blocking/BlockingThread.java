package dev.blitz.io.internal.blocking;

import dev.blitz.io.internal.task.RuntimeThread;
import dev.blitz.io.internal.task.TaskHost;

/** A thread of the blocking pool. */
final class BlockingThread extends RuntimeThread {
  private final BlockingPool pool;

  BlockingThread(TaskHost host, BlockingPool pool, String name) {
    super(host, name);
    this.pool = pool;
  }

  @Override
  public boolean isWorker() {
    return false;
  }

  @Override
  public void run() {
    pool.drive(this);
  }
}
