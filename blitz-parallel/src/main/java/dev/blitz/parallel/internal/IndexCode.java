package dev.blitz.parallel.internal;

import dev.blitz.parallel.IntAction;

/** The inner loop over indices, as a class that can be copied per lambda class. */
abstract class IndexCode {
  abstract void run(IntAction<?> body, int from, int to) throws Exception;

  /** The template. */
  static final class Loop extends IndexCode {
    @Override
    void run(IntAction<?> body, int from, int to) throws Exception {
      for (int i = from; i < to; i++) {
        body.run(i);
      }
    }
  }
}
