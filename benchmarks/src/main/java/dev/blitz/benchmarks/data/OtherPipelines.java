package dev.blitz.benchmarks.data;

import dev.blitz.parallel.Parallel;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a JVM has been through before anything is measured: pipelines and streams of other lambdas.
 */
final class OtherPipelines {
  private static final int ELEMENTS = 100_000;
  private static final int ROUNDS = 30;

  private static boolean done;

  private OtherPipelines() {}

  /** Once per JVM. Not in a static initialiser: the workers would wait for its class. */
  static synchronized void ensure() {
    if (!done) {
      done = true;
      long sum = 0;
      for (int i = 0; i < ROUNDS; i++) {
        sum += pipelines() + streams();
      }
      if (sum == 0) {
        throw new IllegalStateException("the compiler left it out");
      }
    }
  }

  private static long pipelines() {
    long[] longs = Parallel.rangeLong(0, ELEMENTS).map(x -> x * 31).toArray();
    double[] doubles = Parallel.range(0, ELEMENTS).mapToDouble(i -> i / 3.0).toArray();
    return Parallel.range(0, ELEMENTS).map(i -> i * 5).filter(i -> i > 7).sum()
        + Parallel.range(0, ELEMENTS).map(i -> i ^ 5).filter(i -> i > 9).sum()
        + Parallel.range(0, ELEMENTS).mapToLong(i -> i + 5).filter(i -> i > 11).sum()
        + Parallel.iter(longs).map(x -> x + 1).max().orElse(0)
        + Parallel.iter(longs).filter(x -> x % 3 == 0).toArray().length
        + (Parallel.iter(longs).anyMatch(x -> x == -7) ? 1 : 0)
        + (long) Parallel.iter(doubles).map(x -> x * 2).filter(x -> x > 1).sum()
        + (long) Parallel.iter(doubles).zip(doubles, (x, y) -> x - y).sum();
  }

  private static long streams() {
    long[] longs = new long[ELEMENTS];
    Arrays.setAll(longs, i -> i);
    return IntStream.range(0, ELEMENTS).parallel().map(i -> i * 7).filter(i -> i > 3).sum()
        + IntStream.range(0, ELEMENTS).parallel().map(i -> i * 9).filter(i -> i > 4).sum()
        + Arrays.stream(longs).parallel().map(x -> x + 3).max().orElse(0)
        + Arrays.stream(longs).parallel().filter(x -> x % 5 == 0).toArray().length
        + (Arrays.stream(longs).parallel().anyMatch(x -> x == -5) ? 1 : 0)
        + (long) Arrays.stream(longs).parallel().mapToDouble(x -> x).sum();
  }
}
