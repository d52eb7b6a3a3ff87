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

  long blitzMapped() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Parallel.iter(data).map(x -> x * 3).filter(x -> (x & 1) == 0).sum();
    }
    return all;
  }

  long handMapped() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += sumMapped();
    }
    return all;
  }

  private long sumMapped() {
    long sum = 0;
    for (long x : data) {
      long y = x * 3;
      if ((y & 1) == 0) {
        sum += y;
      }
    }
    return sum;
  }

  long streamMapped() {
    long all = 0;
    for (int n = 0; n < times; n++) {
      all += Arrays.stream(data).parallel().map(x -> x * 3).filter(x -> (x & 1) == 0).sum();
    }
    return all;
  }
}
