package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.LoopHome;
import dev.blitz.parallel.internal.WorkerThread;
import dev.blitz.parallel.internal.sort.Split;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a pipeline runs and what stops it.
 *
 * @param options how to cut and stop its loops
 */
public record Where(LoopHome home, LoopOptions options) {
  /** How many workers there are. */
  int workers() {
    return !home.strict() && Thread.currentThread() instanceof WorkerThread worker
        ? worker.pool().parallelism()
        : home.pool().get().parallelism();
  }

  /**
   * Whether a function of the user's that is called between loops may run on the current thread.
   *
   * @return false: it is to be {@link #call called} there
   */
  public boolean isHere() {
    return home.isHere();
  }

  /**
   * Calls such a function.
   *
   * @param <T> its result
   */
  public <T extends @Nullable Object> T call(Supplier<T> function) {
    return isHere() ? function.get() : home.pool().get().<T, RuntimeException>call(function::get);
  }

  /**
   * Runs what forks by itself.
   *
   * @param count of elements: few are handled on the calling thread, if that is allowed
   * @param work what
   */
  public void run(long count, Runnable work) {
    if (home.strict()) {
      home.pool()
          .get()
          .call(() -> {
            work.run();
            return true;
          });
    } else {
      Split.run(count, home.pool(), work);
    }
  }
}
