package dev.blitz.parallel.internal.sort;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.PoolCore;
import dev.blitz.parallel.internal.WorkerThread;
import java.util.function.Supplier;

/** Forks of the current worker; on any other thread one after the other. */
public final class Split {
  /** Handles neighbouring indices. */
  public interface Part {
    /**
     * Handles some.
     *
     * @param from the first
     * @param to the end
     */
    void run(int from, int to);
  }

  private Split() {}

  /**
   * Runs where forks can be shared: few elements where the caller is, more on its pool or another.
   *
   * @param count of elements
   * @param pool the other, asked for only when it is needed
   * @param work what to run
   */
  public static void run(long count, Supplier<PoolCore> pool, Runnable work) {
    if (count <= SortTuning.ALONE || Thread.currentThread() instanceof WorkerThread) {
      work.run();
    } else {
      pool.get()
          .call(() -> {
            work.run();
            return true;
          });
    }
  }

  /** How many workers could share the work: 1 outside a pool. */
  static int workers() {
    return Thread.currentThread() instanceof WorkerThread worker ? worker.pool().parallelism() : 1;
  }

  static void join(Runnable a, Runnable b) {
    if (Thread.currentThread() instanceof WorkerThread worker) {
      Fork.<RuntimeException>join(worker, a::run, b::run);
    } else {
      a.run();
      b.run();
    }
  }

  /**
   * Cuts a range in halves down to pieces.
   *
   * @param from the first index
   * @param to the end
   * @param piece indices that are not cut further
   * @param part handles a piece
   */
  public static void each(int from, int to, int piece, Part part) {
    if (to - from <= piece) {
      if (from < to) {
        part.run(from, to);
      }
      return;
    }
    int middle = (from + to) >>> 1;
    join(() -> each(from, middle, piece, part), () -> each(middle, to, piece, part));
  }
}
