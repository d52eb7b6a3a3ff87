package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * A radix sort, most significant bits first, over the bits that differ at all. Each bucket has a
 * span of its own, so every level uses up as many bits as there are elements to a power of two: few
 * levels, whatever the input.
 *
 * <p>A full stack or heap may end it at any call. The elements are then still there: a bucket is
 * always whole in one of the two arrays, and is brought to where it belongs by loops that call
 * nothing.
 */
final class LongRadix {
  /** Every level uses up a bit or more. */
  private static final int LEVELS = Long.SIZE;

  private final long[] a;
  private final long[] b;

  private LongRadix(long[] a, long[] b) {
    this.a = a;
    this.b = b;
  }

  static void sort(long[] a, int from, int to) {
    new LongRadix(a, new long[to]).sortTogether(from, to);
  }

  /** Bits to look at, for two elements per bucket or a few hundred. */
  private static int bitsFor(int count) {
    return Math.clamp(
        (long) Integer.SIZE - 2 - Integer.numberOfLeadingZeros(count), 1, SortTuning.RADIX_BITS);
  }

  /** In parallel: slices of the array are counted and scattered, then buckets sorted. */
  private void sortTogether(int from, int to) {
    int workers = Split.workers();
    int count = to - from;
    int slices = workers == 1 || count <= SortTuning.ALONE ? 1 : 2 * workers;
    long[] least = new long[slices];
    long[] greatest = new long[slices];
    Split.each(
        0,
        slices,
        1,
        (s, e) -> {
          int end = cut(from, count, e, slices);
          long min = Long.MAX_VALUE;
          long max = Long.MIN_VALUE;
          for (int i = cut(from, count, s, slices); i < end; i++) {
            min = Math.min(min, a[i]);
            max = Math.max(max, a[i]);
          }
          least[s] = min;
          greatest[s] = max;
        });
    long min = least[0];
    long max = greatest[0];
    for (int s = 1; s < slices; s++) {
      min = Math.min(min, least[s]);
      max = Math.max(max, greatest[s]);
    }
    if (min < max) {
      scatterTogether(from, to, slices, min, max);
    }
  }

  private void scatterTogether(int from, int to, int slices, long base, long max) {
    int count = to - from;
    int bits = bitsFor(count);
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(max - base) - bits);
    int buckets = (int) ((max - base) >>> shift) + 1;
    int[][] places = new int[slices][];
    Split.each(
        0,
        slices,
        1,
        (s, e) ->
            places[s] =
                counted(
                    a,
                    cut(from, count, s, slices),
                    cut(from, count, e, slices),
                    base,
                    shift,
                    new int[buckets]));
    int[] ends = new int[buckets];
    int at = from;
    for (int bucket = 0; bucket < buckets; bucket++) {
      for (int[] place : places) {
        int size = place[bucket];
        place[bucket] = at;
        at += size;
      }
      ends[bucket] = at;
    }
    boolean[] moved = new boolean[buckets];
    int piece = Math.max(SortTuning.PIECE, count / (8 * slices));
    scatterAll(from, count, slices, base, shift, places);
    if (shift == 0) {
      new LongNumbers().copyBack(b, a, from, to);
      return;
    }
    try {
      sortBuckets(ends, from, 0, buckets, piece, moved);
    } catch (Throwable t) {
      for (int bucket = 0, i = from; bucket < buckets; bucket++) {
        for (; i < ends[bucket]; i++) {
          a[i] = moved[bucket] ? a[i] : b[i];
        }
      }
      throw t;
    }
  }

  /** From {@code a}, which stays as it is, to {@code b}. */
  private void scatterAll(int from, int count, int slices, long base, int shift, int[][] places) {
    Split.each(
        0,
        slices,
        1,
        (s, e) ->
            scatter(
                a,
                b,
                cut(from, count, s, slices),
                cut(from, count, e, slices),
                base,
                shift,
                places[s]));
  }

  /**
   * Neighbouring buckets together, until there are few elements or one bucket. Those that are in
   * {@code a} are marked, sorted or not; the others are in {@code b} still.
   */
  private void sortBuckets(int[] ends, int from, int first, int end, int piece, boolean[] moved) {
    int start = first == 0 ? from : ends[first - 1];
    int count = ends[end - 1] - start;
    if (end - first == 1 && count > piece && Split.workers() > 1) {
      Merges.copy(b, start, a, start, count);
      moved[first] = true;
      sortTogether(start, start + count);
    } else if (end - first == 1 || count <= piece) {
      Levels levels = new Levels();
      for (int bucket = first, at = start; bucket < end; at = ends[bucket++]) {
        levels.entered = false;
        try {
          sort(b, a, at, ends[bucket], true, levels, 0);
        } finally {
          moved[bucket] = levels.entered;
        }
      }
    } else {
      int middle = (first + end) >>> 1;
      Split.join(
          () -> sortBuckets(ends, from, first, middle, piece, moved),
          () -> sortBuckets(ends, from, middle, end, piece, moved));
    }
  }

  /** Counters per level, and whether the call that was made last has begun. */
  private static final class Levels {
    private final int[][] counts = new int[LEVELS][];
    private boolean entered;

    int[] cleared(int level, int buckets) {
      int[] known = counts[level];
      if (known == null || known.length < buckets) {
        known = new int[buckets];
        counts[level] = known;
      } else {
        Arrays.fill(known, 0, buckets, 0);
      }
      return known;
    }
  }

  /**
   * Sorts what is in {@code src}. Once it has begun, the elements end where they belong, sorted or
   * not.
   *
   * @param across the result belongs to {@code dst}; otherwise to {@code src}
   */
  private static void sort(
      long[] src, long[] dst, int from, int to, boolean across, Levels levels, int level) {
    levels.entered = true;
    // How much of dst holds its own buckets: none, or all behind the last one that was sorted.
    int rest = to;
    boolean scattered = false;
    try {
      int count = to - from;
      if (count > SortTuning.INSERTION) {
        long min = src[from];
        long max = min;
        for (int i = from + 1; i < to; i++) {
          min = Math.min(min, src[i]);
          max = Math.max(max, src[i]);
        }
        int bits = bitsFor(count);
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(max - min) - bits);
        int buckets = (int) ((max - min) >>> shift) + 1;
        int[] places = levels.cleared(level, buckets);
        counted(src, from, to, min, shift, places);
        int largest = 0;
        for (int bucket = 0, at = from; bucket < buckets; bucket++) {
          int size = places[bucket];
          places[bucket] = at;
          at += size;
          largest = Math.max(largest, size);
        }
        scatter(src, dst, from, to, min, shift, places);
        scattered = true;
        rest = from;
        if (shift != 0 && largest > SortTuning.INSERTION) {
          for (int bucket = 0, at = from; bucket < buckets; at = places[bucket++]) {
            levels.entered = false;
            rest = at;
            try {
              sort(dst, src, at, places[bucket], !across, levels, level + 1);
            } finally {
              rest = levels.entered ? places[bucket] : at;
            }
          }
          levels.entered = true;
          return;
        }
        if (shift == 0) {
          // Every bucket has one value.
          return;
        }
      }
    } finally {
      // What is not where it belongs goes there.
      levels.entered = true;
      if (scattered != across) {
        for (int i = scattered ? rest : from; i < to; i++) {
          if (scattered) {
            src[i] = dst[i];
          } else {
            dst[i] = src[i];
          }
        }
      }
    }
    insertion(across ? dst : src, from, to);
  }

  private static int[] counted(long[] src, int from, int to, long base, int shift, int[] counts) {
    for (int i = from; i < to; i++) {
      counts[(int) ((src[i] - base) >>> shift)]++;
    }
    return counts;
  }

  private static void scatter(
      long[] src, long[] dst, int from, int to, long base, int shift, int[] places) {
    for (int i = from; i < to; i++) {
      long x = src[i];
      dst[places[(int) ((x - base) >>> shift)]++] = x;
    }
  }

  private static void insertion(long[] a, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long x = a[i];
      int j = i - 1;
      while (j >= from && a[j] > x) {
        a[j + 1] = a[j];
        j--;
      }
      a[j + 1] = x;
    }
  }

  private static int cut(int from, int count, int slice, int slices) {
    return from + (int) ((long) count * slice / slices);
  }
}
