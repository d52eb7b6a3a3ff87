package dev.blitz.parallel.internal.array;

import dev.blitz.parallel.internal.sort.Split;

/**
 * A random order of indices, in parallel: each index is thrown into one of many buckets, and each
 * bucket is shuffled on its own. Who does what depends on the size alone, so the result does not
 * depend on the workers.
 */
/*
 * Implementation notes
 *
 * Every order is as likely as any other: the buckets of the indices are independent, and within a bucket the order is
 * uniform (Rao 1961, Sandelius 1962). Indices are thrown chunk by chunk; counting first says where each chunk writes
 * in each bucket.
 */
public final class Permutation {
  /** Indices of a bucket, about: they fit the second cache. */
  private static final int BUCKET = 1 << 15;

  private static final int MAX_BUCKETS = 1 << 10;

  /** Indices that are thrown together; much more than there are buckets. */
  private static final int CHUNK = 1 << 16;

  private static final int THROWN = -1;

  private Permutation() {}

  /**
   * Fills an array with its indices in random order.
   *
   * @param places what to fill
   * @param seed decides
   */
  public static void fill(int[] places, long seed) {
    RandomAt random = RandomAt.of(seed);
    int size = places.length;
    if (size <= BUCKET) {
      for (int i = 0; i < size; i++) {
        places[i] = i;
      }
      shuffle(places, 0, size, random.stream(0));
      return;
    }
    int buckets = Math.min(MAX_BUCKETS, Integer.highestOneBit((size - 1) / BUCKET) * 2);
    int shift = Long.numberOfLeadingZeros(buckets) + 1;
    int chunks = (size - 1) / CHUNK + 1;
    RandomAt thrown = random.stream(THROWN);
    int[][] counts = new int[chunks][];
    Split.each(
        0,
        chunks,
        1,
        (chunk, end) ->
            counts[chunk] = count(thrown, shift, start(chunk), end(chunk, size), buckets));
    int[] starts = new int[buckets + 1];
    int at = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      starts[bucket] = at;
      for (int[] count : counts) {
        int here = count[bucket];
        count[bucket] = at;
        at += here;
      }
    }
    starts[buckets] = at;
    Split.each(
        0,
        chunks,
        1,
        (chunk, end) -> {
          int[] next = counts[chunk];
          for (int i = start(chunk); i < end(chunk, size); i++) {
            places[next[(int) (thrown.longAt(i) >>> shift)]++] = i;
          }
        });
    Split.each(
        0,
        buckets,
        1,
        (bucket, end) ->
            shuffle(places, starts[bucket], starts[bucket + 1], random.stream(bucket)));
  }

  private static int start(int chunk) {
    return chunk * CHUNK;
  }

  private static int end(int chunk, int size) {
    return size - start(chunk) > CHUNK ? start(chunk) + CHUNK : size;
  }

  private static int[] count(RandomAt thrown, int shift, int from, int to, int buckets) {
    int[] counts = new int[buckets];
    for (int i = from; i < to; i++) {
      counts[(int) (thrown.longAt(i) >>> shift)]++;
    }
    return counts;
  }

  private static void shuffle(int[] places, int from, int to, RandomAt random) {
    for (int i = to - 1; i > from; i--) {
      int j = from + (int) random.below(i, (long) i - from + 1);
      int place = places[i];
      places[i] = places[j];
      places[j] = place;
    }
  }
}
