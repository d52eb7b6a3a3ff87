package dev.blitz.parallel.iter;

import dev.blitz.parallel.internal.spin.DoubleChunks;

/** Plain loops over short arrays. */
final class Few {
  private Few() {}

  static long sum(int[] a, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += a[i];
    }
    return sum;
  }

  /**
   * Four sums, none of which waits for another: the JVM's compiler parts those of ints by itself.
   */
  static long sum(long[] a, int from, int to) {
    long sum = 0;
    long second = 0;
    long third = 0;
    long fourth = 0;
    int i = from;
    for (int whole = to - (to - from & 3); i < whole; i += 4) {
      sum += a[i];
      second += a[i + 1];
      third += a[i + 2];
      fourth += a[i + 3];
    }
    for (; i < to; i++) {
      sum += a[i];
    }
    return sum + second + third + fourth;
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
