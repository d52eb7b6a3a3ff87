package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;

/** A call from outside the pool: its caller waits for it. */
final class CallJob extends ResultLatch {
  private final PoolCore pool;
  private final Work<?, ?> work;

  CallJob(PoolCore pool, Work<?, ?> work, Thread caller) {
    super(caller, null);
    this.pool = pool;
    this.work = work;
  }

  @Override
  Object run() throws Exception {
    return work.run();
  }

  @Override
  void completed() {
    pool.rootEnded();
  }
}
