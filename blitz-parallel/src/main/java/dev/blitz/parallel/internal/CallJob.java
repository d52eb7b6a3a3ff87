package dev.blitz.parallel.internal;

import dev.blitz.parallel.Work;
import org.jspecify.annotations.Nullable;

/** A call from outside the pool: its caller waits for it. */
final class CallJob extends ResultLatch {
  private final PoolCore pool;
  private final Work<?, ?> work;
  private final @Nullable Runnable onInterrupt;

  CallJob(PoolCore pool, Work<?, ?> work, Thread caller, @Nullable Runnable onInterrupt) {
    super(caller, null);
    this.pool = pool;
    this.work = work;
    this.onInterrupt = onInterrupt;
  }

  @Override
  void waiterInterrupted() {
    if (onInterrupt != null) {
      onInterrupt.run();
    }
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
