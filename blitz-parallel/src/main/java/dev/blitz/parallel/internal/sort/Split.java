package dev.blitz.parallel.internal.sort;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.WorkerThread;

/** Forks of the current worker; on any other thread one after the other. */
final class Split {
  /** Handles neighbouring indices. */
  interface Part {
    void run(int from, int to);
  }

  private Split() {}

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

  /** Cuts a range in halves down to pieces of at most {@code piece}. */
  static void each(int from, int to, int piece, Part part) {
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
