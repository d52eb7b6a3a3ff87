package dev.blitz.benchmarks.data;

import java.util.Locale;

/** What is to be sorted. */
enum SortPattern {
  RANDOM,
  SORTED,
  REVERSE,
  EQUAL,
  ORGAN_PIPE,
  FEW_DISTINCT,
  NEARLY_SORTED;

  /**
   * A pattern of some length.
   *
   * @param pattern which
   * @param size how long
   */
  record Sized(SortPattern pattern, int size) {
    long[] longs() {
      return pattern.longs(size);
    }
  }

  /** Whether a sort of it is over in little more than one pass. */
  boolean isQuick() {
    return this == SORTED || this == REVERSE || this == EQUAL || this == ORGAN_PIPE;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The same in the Rust peer: whoever changes one changes both. */
  private long[] longs(int size) {
    long[] a = new long[size];
    for (int i = 0; i < size; i++) {
      long random = (i * 0x9E3779B97F4A7C15L) ^ ((i * 0x9E3779B97F4A7C15L) >>> 29);
      random *= 0xBF58476D1CE4E5B9L;
      random ^= random >>> 32;
      a[i] =
          switch (this) {
            case RANDOM -> random;
            case SORTED -> i;
            case REVERSE -> size - i;
            case EQUAL -> 42;
            case ORGAN_PIPE -> Math.min(i, size - i);
            case FEW_DISTINCT -> random & 7;
            case NEARLY_SORTED -> i % 100 == 99 ? Math.floorMod(random, size) : i;
          };
    }
    return a;
  }
}
