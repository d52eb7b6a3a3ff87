package dev.blitz.parallel.internal;

/**
 * Finds out whether enough stack is left to wait for others, taking their jobs meanwhile, or to
 * wake them. A claimed job that died of a full stack before its handler was in place would never be
 * completed, and its owner would wait for ever; so would a sleeper whose waker died half way.
 */
/*
 * Implementation notes
 *
 * The only way to ask for stack is to use it. Calls that store much are slow, so these have large frames and leave
 * them empty: every frame has room for the arguments of a call that only the last one makes, and only now and then.
 * That is often enough for the compiler, which would give no room to a call that it never saw. The interpreter gives
 * room to declared variables.
 */
public final class StackReserve {
  /** Of so many probes of a worker one makes the call that the others only have room for. */
  private static final int FULL_PROBES = 16;

  private StackReserve() {}

  /**
   * Overflows now, before anything was started that would have to be waited for.
   *
   * @throws StackOverflowError when too little is left to wait
   */
  public static void require() {
    if (!isAvailable()) {
      throw new StackOverflowError("too little stack left to wait for other threads");
    }
  }

  static boolean isAvailable() {
    return fits(Tuning.RESERVED_CALLS);
  }

  /** Whether even a job that needs much stack of its own has room. */
  static boolean isAmple() {
    return fits(Tuning.AMPLE_CALLS);
  }

  private static boolean fits(int calls) {
    try {
      boolean full =
          !(Thread.currentThread() instanceof WorkerThread worker)
              || worker.nextProbe() % FULL_PROBES == 0;
      return descend(calls, full) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  @SuppressWarnings("unused")
  private static long descend(int calls, boolean full) {
    if (calls != 0) {
      return descend(calls - 1, full) | 1;
    }
    long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
    long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
    return full
        ? wide(
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1)
        : 1;
  }

  /** Many arguments; and too large to be inlined where it is rare: they would need no room then. */
  private static long wide(
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i,
      long j,
      long k,
      long l,
      long m,
      long n,
      long o,
      long p,
      long q,
      long r,
      long s,
      long t,
      long u,
      long v,
      long w,
      long x,
      long y,
      long z,
      long a2,
      long b2,
      long c2,
      long d2,
      long e2,
      long f2) {
    if (a != 0) {
      return a;
    }
    return a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p | q | r | s | t | u | v | w
        | x | y | z | a2 | b2 | c2 | d2 | e2 | f2;
  }
}
