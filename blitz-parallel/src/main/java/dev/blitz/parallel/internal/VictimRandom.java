package dev.blitz.parallel.internal;

/** Whom to steal from first: xorshift64*, one per worker, from a seed. Not thread safe. */
final class VictimRandom {
  private long state;

  VictimRandom(long seed) {
    // Zero is the one state xorshift never leaves.
    state = seed == 0 ? 0x9E3779B97F4A7C15L : seed;
  }

  /** A number from 0 to {@code bound - 1}. */
  int below(int bound) {
    long x = state;
    x ^= x >>> 12;
    x ^= x << 25;
    x ^= x >>> 27;
    state = x;
    long high = (x * 0x2545F4914F6CDD1DL) >>> 32;
    return (int) ((high * bound) >>> 32);
  }
}
