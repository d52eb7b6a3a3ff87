package dev.blitz.benchmarks.data;

import dev.blitz.parallel.Parallel;
import java.util.Arrays;

/** Sums of few numbers, where the call is most of it. */
final class SmallSums {
  private final long[] data;
  private final int times;

  SmallSums(int length, int times) {
    this.data = new long[length];
    this.times = times;
    Arrays.setAll(data, i -> i);
  }

  long blitz() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Parallel.iter(data).sum();
    }
    return all;
  }

  long hand() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += sum();
    }
    return all;
  }

  private long sum() {
    long sum = 0;
    for (long x : data) {
      sum += x;
    }
    return sum;
  }

  long stream() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Arrays.stream(data).parallel().sum();
    }
    return all;
  }
}
