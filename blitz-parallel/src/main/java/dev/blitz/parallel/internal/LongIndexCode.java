package dev.blitz.parallel.internal;

import dev.blitz.parallel.LongAction;

/** The inner loop over {@code long} indices, as a class that can be copied per lambda class. */
abstract class LongIndexCode {
  abstract void run(LongAction<?> body, long from, int count) throws Exception;

  /** The template; counts by int, which the compiler unrolls. */
  static final class Loop extends LongIndexCode {
    @Override
    void run(LongAction<?> body, long from, int count) throws Exception {
      for (int i = 0; i < count; i++) {
        body.run(from + i);
      }
    }
  }
}
