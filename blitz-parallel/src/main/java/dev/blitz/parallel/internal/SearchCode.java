package dev.blitz.parallel.internal;

import java.util.function.IntPredicate;

/** The inner loop of a search, as a class that can be copied per lambda class. */
abstract class SearchCode {
  abstract boolean run(IntPredicate stop, int from, int to);

  /** The template. */
  static final class Loop extends SearchCode {
    @Override
    boolean run(IntPredicate stop, int from, int to) {
      for (int i = from; i < to; i++) {
        if (stop.test(i)) {
          return true;
        }
      }
      return false;
    }
  }
}
