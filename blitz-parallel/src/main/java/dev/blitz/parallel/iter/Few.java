package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.spin.DoubleChunks;

/** Plain loops over short arrays. */
final class Few {
  /**
   * Never changed, but the JVM's compiler must not know that: a loop that only adds up longs it
   * does not make of vectors, one that does something with each of them it does.
   */
  @SuppressWarnings("FieldMayBeFinal")
  private static long zero;

  private Few() {}

  static long sum(int[] a, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += a[i];
    }
    return sum;
  }

  static long sum(long[] a, int from, int to) {
    long sum = 0;
    long zero = Few.zero;
    for (int i = from; i < to; i++) {
      sum += a[i] ^ zero;
    }
    return sum;
  }

  /** The bits that a longer way would yield: it is one chunk. */
  static double sum(double[] a, int from, int to) {
    return DoubleChunks.sumOfOne(a, from, to);
  }

  /** Of one element or more. */
  static int min(int[] a) {
    int least = a[0];
    for (int x : a) {
      least = Math.min(least, x);
    }
    return least;
  }

  /** Of one element or more. */
  static int max(int[] a) {
    int greatest = a[0];
    for (int x : a) {
      greatest = Math.max(greatest, x);
    }
    return greatest;
  }

  /** Of one element or more. */
  static long min(long[] a) {
    long least = a[0];
    for (long x : a) {
      least = Math.min(least, x);
    }
    return least;
  }

  /** Of one element or more. */
  static long max(long[] a) {
    long greatest = a[0];
    for (long x : a) {
      greatest = Math.max(greatest, x);
    }
    return greatest;
  }

  /** Of one element or more. */
  static double min(double[] a) {
    double least = a[0];
    for (double x : a) {
      least = Math.min(least, x);
    }
    return least;
  }

  /** Of one element or more. */
  static double max(double[] a) {
    double greatest = a[0];
    for (double x : a) {
      greatest = Math.max(greatest, x);
    }
    return greatest;
  }
}
