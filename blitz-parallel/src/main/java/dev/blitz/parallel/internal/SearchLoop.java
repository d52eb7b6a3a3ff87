package dev.blitz.parallel.internal;

import dev.blitz.parallel.LoopOptions;
import java.util.function.IntPredicate;

/** A loop that ends when one index says so. */
public final class SearchLoop {
  private final IntPredicate stop;
  private final RangeLoop<Boolean, RuntimeException> loop;

  /**
   * A search.
   *
   * @param stop true to end the loop
   * @param options how to cut and stop it
   */
  public SearchLoop(IntPredicate stop, LoopOptions options) {
    this.stop = stop;
    this.loop = new RangeLoop<>(this::searchBlock, Boolean::logicalOr, options);
  }

  /**
   * Runs on the current thread, a worker.
   *
   * @param from the first index
   * @param to the end
   * @return whether any index said stop
   */
  public boolean run(int from, int to) {
    Boolean found = loop.run(from, to);
    return found != null && found;
  }

  private boolean searchBlock(int from, int to) {
    for (int i = from; i < to; i++) {
      if (stop.test(i)) {
        loop.stop();
        return true;
      }
    }
    return false;
  }
}
