package dev.blitz.parallel.array;

import dev.blitz.parallel.Pool;
import dev.blitz.parallel.internal.FirstUse;
import dev.blitz.parallel.internal.PoolAccess;
import dev.blitz.parallel.internal.sort.SortTuning;
import dev.blitz.parallel.internal.sort.Split;

/** Where arrays are handled: few elements here, more on the current pool or the common one. */
final class OnPool {
  private OnPool() {}

  static void run(long count, Runnable work) {
    FirstUse.ofData();
    Split.run(count, () -> PoolAccess.core(Pool.common()), work);
  }

  static void each(int length, Split.Part part) {
    run(length, () -> Split.each(0, length, SortTuning.PIECE, part));
  }
}
