package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.IntAction;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Loops over an array, each as plain Java, on the pool and as a parallel stream. The bodies are
 * cheap, so what shows is the cost of going parallel.
 */
final class Loops {
  private static final int POLLUTING_ELEMENTS = 100_000;
  private static final int POLLUTING_ROUNDS = 30;

  private final long[] data;

  Loops(int length) {
    this.data = new long[length];
    Arrays.setAll(data, i -> i);
  }

  private long sum(int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += data[i];
    }
    return sum;
  }

  // Each repeats itself: a loop that repeats any of them would measure the call through an
  // interface.

  long plainSum(int times) {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += sum(0, data.length);
    }
    return all;
  }

  long parallelSum(int times) {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Parallel.parallelReduce(0, data.length, 0L, this::sum, Long::sum);
    }
    return all;
  }

  long streamSum(int times) {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Arrays.stream(data).parallel().sum();
    }
    return all;
  }

  long plainFill(int times) {
    for (int n = 0; n < times; n++) {
      for (int i = 0; i < data.length; i++) {
        data[i] = i * 31L + n;
      }
    }
    return data[data.length - 1];
  }

  long parallelFill(int times) {
    for (int n = 0; n < times; n++) {
      int add = n;
      Parallel.parallelFor(0, data.length, i -> data[i] = i * 31L + add);
    }
    return data[data.length - 1];
  }

  long streamFill(int times) {
    for (int n = 0; n < times; n++) {
      int add = n;
      IntStream.range(0, data.length).parallel().forEach(i -> data[i] = i * 31L + add);
    }
    return data[data.length - 1];
  }

  /**
   * As {@link #parallelFill}, by a lambda that only this class has, and on a pool of one worker.
   */
  long fillOn(Pool pool) {
    pool.parallelFor(0, data.length, LoopOptions.DEFAULT, i -> data[i] = i * 37L);
    return data[data.length - 1];
  }

  long rangesOn(Pool pool) {
    pool.run(() ->
        Parallel.parallelForRanges(
            0,
            data.length,
            LoopOptions.DEFAULT,
            (from, to) -> {
              for (int i = from; i < to; i++) {
                data[i] = i * 37L;
              }
            }));
    return data[data.length - 1];
  }

  /** Sends other lambdas through the same loop, so that nothing is compiled for one alone. */
  static void pollute(Pool pool) {
    long[] some = new long[POLLUTING_ELEMENTS];
    for (int round = 0; round < POLLUTING_ROUNDS; round++) {
      pass(pool, some.length, i -> some[i] = i);
      pass(pool, some.length, i -> some[i] += i);
      pass(pool, some.length, i -> some[i] ^= i);
      pass(pool, some.length, i -> some[i] *= 3);
      pass(pool, some.length, i -> some[i] -= 7L * i);
      IntStream.range(0, some.length).parallel().forEach(i -> some[i] |= 1);
      IntStream.range(0, some.length).parallel().forEach(i -> some[i] &= i);
    }
  }

  private static void pass(Pool pool, int length, IntAction<RuntimeException> body) {
    pool.parallelFor(0, length, LoopOptions.DEFAULT, body);
  }
}
