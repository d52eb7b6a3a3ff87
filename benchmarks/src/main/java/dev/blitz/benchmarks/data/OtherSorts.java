package dev.blitz.benchmarks.data;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.sort.ParallelSort;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What a JVM has been through before a sort is measured: sorts by other comparators, on all sides.
 */
final class OtherSorts {
  private static final int ELEMENTS = 50_000;
  private static final int ROUNDS = 20;

  private static boolean done;

  private OtherSorts() {}

  /** Once per JVM. Not in a static initialiser: the workers would wait for its class. */
  static synchronized void ensure() {
    if (!done) {
      done = true;
      Integer[] some =
          IntStream.range(0, ELEMENTS)
              .map(i -> i * 7919 % ELEMENTS)
              .boxed()
              .toArray(Integer[]::new);
      for (int i = 0; i < ROUNDS; i++) {
        all(some, (x, y) -> Integer.compare(y, x));
        all(some, (x, y) -> Integer.compare(x ^ 5, y ^ 5));
        all(some, (x, y) -> Integer.compare(x % 1_000, y % 1_000));
        all(some, Comparator.comparing(String::valueOf));
        all(some, Comparator.naturalOrder());
      }
    }
  }

  private static void all(Integer[] some, Comparator<Integer> order) {
    Parallel.sort(some.clone(), order);
    ParallelSort.sortUnstable(some.clone(), order);
    Arrays.parallelSort(some.clone(), order);
  }
}
