package dev.blitz.benchmarks.harness;

/** Keeps results alive, so that the compiler cannot prove the work that made them useless. */
final class Sink {
  private static volatile long last;

  private Sink() {}

  static void consume(long checksum) {
    last = checksum;
  }

  /** The last checksum: a reader must exist for the store to mean anything. */
  static long last() {
    return last;
  }
}
