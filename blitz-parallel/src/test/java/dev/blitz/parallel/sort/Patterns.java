package dev.blitz.parallel.sort;

import java.util.Random;
import java.util.function.LongUnaryOperator;

/** Inputs that sorts have met: random ones, those with runs, and those made to hurt. */
public enum Patterns {
  RANDOM,
  SMALL_SPAN,
  SORTED,
  REVERSE,
  EQUAL,
  ORGAN_PIPE,
  FEW_DISTINCT,
  NEARLY_SORTED,
  SAWTOOTH,
  PIPE_UPSIDE_DOWN,
  MEDIAN_OF_THREE_KILLER,
  POWERS_OF_TWO,
  EXTREMES;

  /** An array of this kind, the same for the same seed. */
  public long[] longs(int n, long seed) {
    var random = new Random(seed);
    long[] a = new long[n];
    fill(a, random);
    if (this == NEARLY_SORTED) {
      for (int k = 0; k < n / 50; k++) {
        int i = random.nextInt(n);
        int j = random.nextInt(n);
        long x = a[i];
        a[i] = a[j];
        a[j] = x;
      }
    }
    return a;
  }

  private void fill(long[] a, Random random) {
    int n = a.length;
    LongUnaryOperator at =
        switch (this) {
          case RANDOM -> _ -> random.nextLong();
          case SMALL_SPAN -> _ -> 1_000_000 + random.nextInt(5000);
          case SORTED, NEARLY_SORTED -> i -> i * 3 - n;
          case REVERSE -> i -> n - i * 3;
          case EQUAL -> _ -> 42;
          case ORGAN_PIPE -> i -> Math.min(i, n - i);
          case PIPE_UPSIDE_DOWN -> i -> Math.max(i, n - i);
          case FEW_DISTINCT -> _ -> random.nextInt(7) * 1_000_003L;
          case SAWTOOTH -> i -> i % Math.max(1, n / 5);
          // Median of three picks the second least each time (Musser's sequence).
          case MEDIAN_OF_THREE_KILLER ->
              i -> i < n / 2 ? (i % 2 == 0 ? i + 1 : n / 2 + i) : 2 * (i - n / 2) + 2;
          case POWERS_OF_TWO -> i -> 1L << random.nextInt(64) | (i & 1);
          case EXTREMES ->
              _ ->
                  switch (random.nextInt(4)) {
                    case 0 -> Long.MIN_VALUE;
                    case 1 -> Long.MAX_VALUE;
                    case 2 -> -1;
                    default -> random.nextLong();
                  };
        };
    for (int i = 0; i < n; i++) {
      a[i] = at.applyAsLong(i);
    }
  }
}
