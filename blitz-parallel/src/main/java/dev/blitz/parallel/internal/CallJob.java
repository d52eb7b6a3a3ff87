package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;

/** A call from outside the pool: its caller waits for it. */
final class CallJob extends ResultLatch implements Job {
  private final PoolCore pool;
  private final Work<?, ?> work;

  CallJob(PoolCore pool, Work<?, ?> work, Thread caller) {
    super(caller);
    this.pool = pool;
    this.work = work;
  }

  @Override
  public void execute(WorkerThread worker) {
    runAndComplete(worker, work);
  }

  @Override
  void completed() {
    pool.rootEnded();
  }
}
