package dev.blitz.io.internal.scheduler;

/** xorshift64+: cheap random numbers for choosing victims; the same seed gives the same choices. */
final class XorShift {
  private long s0;
  private long s1;

  XorShift(long seed) {
    s0 = mix(seed);
    s1 = mix(seed + 0x9E3779B97F4A7C15L);
    if ((s0 | s1) == 0) {
      s1 = 1; // the all-zero state is the one that never changes
    }
  }

  /** Spreads nearby seeds apart (the finisher of SplitMix64). */
  static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  long next() {
    long x = s0;
    long y = s1;
    s0 = y;
    x ^= x << 23;
    s1 = x ^ y ^ (x >>> 18) ^ (y >>> 5);
    return s1 + y;
  }

  /** A number from 0 to {@code bound - 1}. */
  int nextInt(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }
}
