package dev.blitz.parallel.internal;

import dev.blitz.parallel.LongAction;

/** The inner loop over {@code long} indices, as a class that can be copied per lambda class. */
abstract class LongIndexCode {
  abstract void run(LongAction<?> body, long from, int count) throws Exception;

  /** The template; counts by int, which the compiler unrolls. */
  static final class Loop extends LongIndexCode {
    @Override
    void run(LongAction<?> body, long from, int count) throws Exception {
      int start = (int) from;
      int end = start + count;
      // Where all indices are ints, the compiler sees that those into an array stay within it.
      if (start == from && end >= start) {
        for (int i = start; i < end; i++) {
          body.run(i);
        }
      } else {
        for (int i = 0; i < count; i++) {
          body.run(from + i);
        }
      }
    }
  }
}
