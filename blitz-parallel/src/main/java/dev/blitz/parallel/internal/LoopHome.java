package dev.blitz.parallel.internal;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a loop may run.
 *
 * @param pool whose workers share it; asked for only when it is needed
 * @param strict true: on no other thread; false: on the pool of the current worker if there is one,
 *     and while it is short on the calling thread, whatever that is
 */
public record LoopHome(Supplier<PoolCore> pool, boolean strict) {
  /** The worker that may run the loop at once, if the current thread is one. */
  @Nullable WorkerThread currentWorker() {
    if (strict) {
      return pool.get().currentWorker();
    }
    return Thread.currentThread() instanceof WorkerThread worker ? worker : null;
  }

  /** Whether the current thread may run a short loop. */
  public boolean isHere() {
    return !strict || pool.get().currentWorker() != null;
  }
}
