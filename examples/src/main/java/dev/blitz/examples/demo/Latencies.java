package dev.blitz.examples.demo;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counts times in buckets, each about 3 % wide, from any number of threads. */
final class Latencies {
  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;

  private final AtomicLongArray buckets = new AtomicLongArray((Long.SIZE - BITS) * WIDTH);

  void add(long nanos) {
    buckets.incrementAndGet(bucketOf(Math.max(0, nanos)));
  }

  long count() {
    long count = 0;
    for (int i = 0; i < buckets.length(); i++) {
      count += buckets.get(i);
    }
    return count;
  }

  /** So much or less took this part of all, from 0 to 1. */
  long quantile(double part) {
    long left = (long) Math.ceil(part * count());
    for (int i = 0; i < buckets.length(); i++) {
      left -= buckets.get(i);
      if (left <= 0) {
        return endOf(i);
      }
    }
    return 0;
  }

  static int bucketOf(long nanos) {
    if (nanos < WIDTH) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - BITS;
    return (shift + 1) * WIDTH + (int) (nanos >>> shift) - WIDTH;
  }

  static long endOf(int bucket) {
    if (bucket < WIDTH) {
      return bucket;
    }
    int shift = bucket / WIDTH - 1;
    return ((long) (bucket % WIDTH + WIDTH + 1) << shift) - 1;
  }

  @Override
  public String toString() {
    return String.join(
        ", ", "p50 " + at(0.5), "p90 " + at(0.9), "p99 " + at(0.99), "p99.9 " + at(0.999));
  }

  private String at(double part) {
    return Screen.time(quantile(part));
  }
}
