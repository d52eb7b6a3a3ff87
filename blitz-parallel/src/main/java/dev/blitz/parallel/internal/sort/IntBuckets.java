package dev.blitz.parallel.internal.sort;

import java.util.Arrays;

/**
 * A sort of ints by one throw into buckets of neighbouring values, in parallel, each of which the
 * JDK then sorts by itself: its sort of ints uses vectors, and few of them fit the first cache.
 * Where there are few values, they are counted and written out instead.
 *
 * <p>A full stack or heap may end it at any call. The elements are then still there: the array is
 * whole until all were thrown, and from then on each bucket is whole in one of the two arrays.
 */
final class IntBuckets {
  private final int[] a;
  private final int from;
  private final int count;
  private final int workers;
  private final int slices;

  /** The least and the greatest element, if they were looked for. */
  private int min;

  private int max;

  /** What is below or above goes into the first or last bucket. */
  private int low;

  private int high;
  private int shift;
  private int buckets;

  private IntBuckets(int[] a, int from, int to, int workers) {
    this.a = a;
    this.from = from;
    this.count = to - from;
    this.workers = workers;
    this.slices = workers == 1 ? 1 : Math.clamp(count / SortTuning.PIECE, 1, 2 * workers);
  }

  /**
   * Sorts a range.
   *
   * @param workers how many can share the work
   * @return false if one bucket would hold too much for several workers: then nothing has changed
   */
  static boolean trySort(int[] a, int from, int to, int workers) {
    return new IntBuckets(a, from, to, workers).trySort();
  }

  /**
   * Sorts a range by counting, if its values are near each other.
   *
   * @return false if they are not: then nothing has changed
   */
  static boolean tryCount(int[] a, int from, int to, int workers) {
    return new IntBuckets(a, from, to, workers).tryCount();
  }

  private boolean tryCount() {
    int mostValues = Math.min(SortTuning.COUNTED_VALUES, count / (4 * slices));
    int least = a[from];
    int greatest = least;
    for (int i = 1; i < SortTuning.FEW_SAMPLE; i++) {
      int x = a[from + (int) ((long) count * i / SortTuning.FEW_SAMPLE)];
      least = Math.min(least, x);
      greatest = Math.max(greatest, x);
    }
    if ((long) greatest - least >= mostValues) {
      return false;
    }
    findBounds();
    if ((long) max - min >= mostValues) {
      return false;
    }
    writeOut(max - min + 1);
    return true;
  }

  private boolean trySort() {
    int[] sample = new int[SortTuning.SAMPLE];
    for (int i = 0; i < sample.length; i++) {
      sample[i] = a[from + (int) ((long) count * i / sample.length)];
    }
    Arrays.sort(sample);
    chooseBuckets(sample);
    if (isUneven(sample)) {
      return false;
    }
    int[][] places = counted();
    int largest = 0;
    int[] ends = new int[buckets];
    int at = 0;
    for (int bucket = 0; bucket < buckets; bucket++) {
      int start = at;
      for (int[] place : places) {
        int size = place[bucket];
        place[bucket] = at;
        at += size;
      }
      ends[bucket] = at;
      largest = Math.max(largest, at - start);
    }
    if (largest > mostInABucket()) {
      return false;
    }
    int[] thrown = new int[count];
    Split.each(0, slices, 1, (s, e) -> scatter(thrown, cut(s), cut(e), places[s]));
    sortBuckets(thrown, ends);
    return true;
  }

  private int cut(int slice) {
    return from + (int) ((long) count * slice / slices);
  }

  private void findBounds() {
    int[] least = new int[slices];
    int[] greatest = new int[slices];
    Split.each(
        0,
        slices,
        1,
        (s, e) -> {
          int end = cut(e);
          int lowest = Integer.MAX_VALUE;
          int highest = Integer.MIN_VALUE;
          for (int i = cut(s); i < end; i++) {
            lowest = Math.min(lowest, a[i]);
            highest = Math.max(highest, a[i]);
          }
          least[s] = lowest;
          greatest[s] = highest;
        });
    min = least[0];
    max = greatest[0];
    for (int s = 1; s < slices; s++) {
      min = Math.min(min, least[s]);
      max = Math.max(max, greatest[s]);
    }
  }

  /** By a sample without its ends: a few odd numbers far off do not make the buckets wide. */
  private void chooseBuckets(int[] sample) {
    int odd = sample.length / 64;
    low = sample[odd];
    high = sample[sample.length - 1 - odd];
    // For buckets of the wanted size, and enough of them to share.
    int bits =
        Math.max(
            Math.min(bitsOf(count / SortTuning.INT_BUCKET), SortTuning.INT_BUCKET_BITS),
            bitsOf(8 * workers));
    int width = high - low; // without a sign
    shift = Math.max(0, bitsOf(width) - bits);
    buckets = (width >>> shift) + 1;
  }

  /** What several workers can share. */
  private int mostInABucket() {
    return Math.max(count / (2 * workers), 2 * SortTuning.PIECE);
  }

  /** Whether the sample says that a bucket gets far too much: saves counting all. */
  private boolean isUneven(int[] sample) {
    int largest = 0;
    for (int i = 0, start = 0; i < sample.length; i++) {
      if (bucket(sample[i], low, high, shift) != bucket(sample[start], low, high, shift)) {
        start = i;
      }
      largest = Math.max(largest, i + 1 - start);
    }
    return (long) largest * count / sample.length > 2L * mostInABucket();
  }

  private static int bucket(int x, int low, int high, int shift) {
    return (Math.min(Math.max(x, low), high) - low) >>> shift;
  }

  private static int bitsOf(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(number);
  }

  private int[][] counted() {
    int[][] counts = new int[slices][];
    Split.each(
        0, slices, 1, (s, e) -> counts[s] = counted(a, cut(s), cut(e), low, high, shift, buckets));
    return counts;
  }

  private static int[] counted(
      int[] a, int from, int to, int low, int high, int shift, int buckets) {
    int[] counts = new int[buckets];
    for (int i = from; i < to; i++) {
      counts[bucket(a[i], low, high, shift)]++;
    }
    return counts;
  }

  private void scatter(int[] thrown, int start, int end, int[] places) {
    scatter(a, thrown, start, end, low, high, shift, places);
  }

  private static void scatter(
      int[] a, int[] thrown, int from, int to, int low, int high, int shift, int[] places) {
    for (int i = from; i < to; i++) {
      int x = a[i];
      thrown[places[bucket(x, low, high, shift)]++] = x;
    }
  }

  private void sortBuckets(int[] thrown, int[] ends) {
    boolean[] back = new boolean[buckets];
    int piece = Math.max(SortTuning.PIECE, count / (8 * workers));
    try {
      sortBuckets(thrown, ends, 0, buckets, piece, back);
    } catch (Throwable t) {
      // Whatever fails, all of it arrives: by a loop that needs neither stack nor memory.
      for (int bucket = 0, i = 0; bucket < buckets; bucket++) {
        for (; i < ends[bucket]; i++) {
          a[from + i] = back[bucket] ? a[from + i] : thrown[i];
        }
      }
      throw t;
    }
  }

  /** Neighbouring buckets together, until there are few elements or one bucket. */
  private void sortBuckets(
      int[] thrown, int[] ends, int first, int end, int piece, boolean[] back) {
    int start = first == 0 ? 0 : ends[first - 1];
    if (end - first > 1 && ends[end - 1] - start > piece) {
      int middle = (first + end) >>> 1;
      Split.join(
          () -> sortBuckets(thrown, ends, first, middle, piece, back),
          () -> sortBuckets(thrown, ends, middle, end, piece, back));
      return;
    }
    for (int bucket = first, at = start; bucket < end; at = ends[bucket++]) {
      System.arraycopy(thrown, at, a, from + at, ends[bucket] - at);
      back[bucket] = true;
      Arrays.sort(a, from + at, from + ends[bucket]);
    }
  }

  /** Counts each value, then writes it as often. */
  private void writeOut(int values) {
    int[][] counts = new int[slices][];
    Split.each(0, slices, 1, (s, e) -> counts[s] = counted(a, cut(s), cut(e), min, max, 0, values));
    int[] ends = new int[values];
    int at = from;
    for (int value = 0; value < values; value++) {
      for (int[] slice : counts) {
        at += slice[value];
      }
      ends[value] = at;
    }
    try {
      Split.each(from, at, SortTuning.PIECE, (start, end) -> writeOut(ends, start, end));
    } catch (Throwable t) {
      for (int value = 0, i = from; value < values; value++) {
        for (; i < ends[value]; i++) {
          a[i] = min + value;
        }
      }
      throw t;
    }
  }

  private void writeOut(int[] ends, int start, int end) {
    int value = FewValues.firstAbove(ends, start);
    for (int i = start; i < end; value++) {
      int stop = Math.min(ends[value], end);
      Arrays.fill(a, i, stop, min + value);
      i = stop;
    }
  }
}
