package dev.blitz.examples.demo;

import static dev.blitz.examples.demo.Screen.number;
import static dev.blitz.examples.demo.Screen.time;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.array.SeededRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** What blitz-parallel does, beside the JDK's own: by turns for a second, the best of each. */
final class ParallelScene {
  private static final int ROUNDS = 5;
  private static final long SECOND = 1_000_000_000;

  private final Screen screen;
  private final int size;

  ParallelScene(Screen screen, int scale) {
    this.screen = screen;
    this.size = 2_000_000 / scale;
  }

  void show() {
    screen.scene(
        "Parallel: "
            + number(size)
            + " numbers on "
            + Runtime.getRuntime().availableProcessors()
            + " cores, beside the JDK");
    long[] numbers = new long[size];
    SeededRandom.of(1).fill(numbers);
    compare("sort", numbers, ParallelScene::sort, ParallelScene::jdkSort);
    compare("pipeline", numbers, ParallelScene::sum, ParallelScene::jdkSum);
    long start = System.nanoTime();
    int n = size > 1_000_000 ? 32 : 20;
    int result = fib(n);
    screen.figure(
        "fork-join",
        "fib("
            + n
            + ") = "
            + number(result)
            + " with a fork at every call in "
            + time(System.nanoTime() - start));
  }

  private void compare(
      String name, long[] numbers, ToLongFunction<long[]> ours, ToLongFunction<long[]> theirs) {
    long best = Long.MAX_VALUE;
    long bestOfTheirs = Long.MAX_VALUE;
    long end = System.nanoTime() + SECOND;
    for (int i = 0; i < ROUNDS || (size > 1_000_000 && System.nanoTime() < end); i++) {
      best = Math.min(best, timeOf(ours, numbers));
      bestOfTheirs = Math.min(bestOfTheirs, timeOf(theirs, numbers));
    }
    screen.figure(
        name,
        String.format(
            "%s, the JDK %s: %s",
            time(best), time(bestOfTheirs), verdict((double) bestOfTheirs / best)));
  }

  /** In plain words, also of a loss. */
  static String verdict(double timesAsFast) {
    if (timesAsFast >= 1.05) {
      return String.format(Locale.ROOT, "%.1f times as fast", timesAsFast);
    }
    return timesAsFast > 0.95
        ? "the same, as far as this can tell"
        : String.format(Locale.ROOT, "the JDK is faster here, %.1f times", 1 / timesAsFast);
  }

  private static long timeOf(ToLongFunction<long[]> work, long[] numbers) {
    long[] own = numbers.clone();
    long start = System.nanoTime();
    long result = work.applyAsLong(own);
    long took = System.nanoTime() - start;
    if (result == 42) {
      throw new AssertionError("so that nobody leaves it out");
    }
    return took;
  }

  private static long sort(long[] numbers) {
    Parallel.sort(numbers);
    return numbers[0];
  }

  private static long jdkSort(long[] numbers) {
    Arrays.parallelSort(numbers);
    return numbers[0];
  }

  private static long sum(long[] numbers) {
    return Parallel.iter(numbers).filter(n -> (n & 3) != 0).map(n -> (n * 31) >>> 7).sum();
  }

  private static long jdkSum(long[] numbers) {
    return Arrays.stream(numbers)
        .parallel()
        .filter(n -> (n & 3) != 0)
        .map(n -> (n * 31) >>> 7)
        .sum();
  }

  private static int fib(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> fib(n - 1), () -> fib(n - 2), Integer::sum);
  }
}
