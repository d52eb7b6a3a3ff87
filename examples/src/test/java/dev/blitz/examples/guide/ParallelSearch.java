package dev.blitz.examples.guide;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;

/** docs/guide/parallel.md, with the token of the other library. */
final class ParallelSearch {
  private ParallelSearch() {}

  static boolean isFound(double[] data) {
    var token = CancelToken.create();
    var options = LoopOptions.DEFAULT.withGrain(64).withToken(token);
    boolean found = Parallel.parallelForUntil(0, data.length, options, i -> data[i] > 999.5);
    return found;
  }
}
