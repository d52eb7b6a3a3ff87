package dev.blitz.parallel.internal;

/**
 * Finds out whether enough stack is left to wait for others, taking their jobs meanwhile, or to
 * wake them. A claimed job that died of a full stack before its handler was in place would never be
 * completed, and its owner would wait for ever; so would a sleeper whose waker died half way.
 */
final class StackReserve {
  private StackReserve() {}

  /**
   * Overflows now, before anything was started that would have to be waited for.
   *
   * @throws StackOverflowError when too little is left to wait
   */
  static void require() {
    if (!isAvailable()) {
      throw new StackOverflowError("too little stack left to wait for other threads");
    }
  }

  static boolean isAvailable() {
    try {
      return descend(Tuning.RESERVED_CALLS, 1, 2, 3, 4, 5, 6, 7, 8) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** More arguments than registers, so that each call needs real stack whoever compiles it. */
  private static long descend(
      int calls, long a, long b, long c, long d, long e, long f, long g, long h) {
    if (calls == 0) {
      return a | b | c | d | e | f | g | h;
    }
    return descend(calls - 1, b, c, d, e, f, g, h, a) | a;
  }
}
