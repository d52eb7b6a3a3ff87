package dev.blitz.parallel.internal.sort;

import org.jspecify.annotations.Nullable;

/**
 * The natural runs of an array, if there are few: found in slices, side by side, and joined where
 * two slices continue each other.
 */
final class LongRuns {
  /** Elements that are looked at together. */
  private static final int STEP = 2048;

  /** Where each run starts, and at the end where the last one ends. */
  private final int[] starts;

  private final boolean[] falling;
  private int count;

  private LongRuns(int max) {
    this.starts = new int[max + 1];
    this.falling = new boolean[max];
  }

  /**
   * Finds the runs and turns falling ones round.
   *
   * @return the starts of the runs and the end; null if they are too many, then nothing is changed
   */
  static int @Nullable [] risingRuns(long[] a, int from, int to) {
    LongRuns runs = find(a, from, to);
    if (runs == null) {
      return null;
    }
    int[] bounds = new int[runs.count + 1];
    System.arraycopy(runs.starts, 0, bounds, 0, runs.count + 1);
    for (int i = 0; i < runs.count; i++) {
      if (runs.falling[i]) {
        LongSort.reverse(a, bounds[i], bounds[i + 1]);
      }
    }
    return bounds;
  }

  private static @Nullable LongRuns find(long[] a, int from, int to) {
    int slices = to - from <= 2 * SortTuning.ALONE ? 1 : 4 * Split.workers();
    // The first slice decides for random input, before anybody else is asked.
    @Nullable LongRuns[] found = new LongRuns[slices];
    long length = (long) to - from;
    found[0] = scan(a, from, (int) (from + length / slices));
    if (found[0] == null) {
      return null;
    }
    Split.each(
        1,
        slices,
        1,
        (s, end) ->
            found[s] =
                scan(a, (int) (from + length * s / slices), (int) (from + length * end / slices)));
    LongRuns all = new LongRuns(slices * SortTuning.RUNS);
    for (LongRuns slice : found) {
      if (slice == null) {
        return null;
      }
      for (int i = 0; i < slice.count; i++) {
        all.add(a, slice.starts[i], slice.starts[i + 1], slice.falling[i]);
      }
    }
    return all.count <= SortTuning.RUNS ? all : null;
  }

  private static @Nullable LongRuns scan(long[] a, int from, int to) {
    LongRuns runs = new LongRuns(SortTuning.RUNS);
    int start = from;
    while (start < to) {
      if (runs.count == SortTuning.RUNS) {
        return null;
      }
      int end = start + 1;
      boolean falls = end < to && a[end] < a[start];
      if (falls) {
        while (end + STEP <= to && falls(a, end, end + STEP)) {
          end += STEP;
        }
        while (end < to && a[end] < a[end - 1]) {
          end++;
        }
      } else {
        while (end + STEP <= to && rises(a, end, end + STEP)) {
          end += STEP;
        }
        while (end < to && a[end] >= a[end - 1]) {
          end++;
        }
      }
      runs.add(a, start, end, falls);
      start = end;
    }
    return runs;
  }

  /** The sign bit is set if x is below y, also where their difference is too large for a long. */
  static long below(long x, long y) {
    long difference = x - y;
    return difference ^ ((x ^ y) & (difference ^ x));
  }

  /** Whether none is below the one before it; without branches, so that it is done by vectors. */
  private static boolean rises(long[] a, int from, int to) {
    long any = 0;
    for (int i = from; i < to; i++) {
      any |= below(a[i], a[i - 1]);
    }
    return any >= 0;
  }

  /** Whether each is below the one before it. */
  private static boolean falls(long[] a, int from, int to) {
    long all = -1;
    for (int i = from; i < to; i++) {
      all &= below(a[i], a[i - 1]);
    }
    return all < 0;
  }

  /** Adds a run, or lengthens the last one by it. A lone element goes with either kind. */
  private void add(long[] a, int start, int end, boolean falls) {
    if (count > 0) {
      int last = count - 1;
      boolean lone = start - starts[last] == 1;
      boolean fallsOn = a[start] < a[start - 1];
      boolean fits = fallsOn == falls || end - start == 1;
      if (fits && (lone || falling[last] == fallsOn)) {
        falling[last] = fallsOn;
        starts[count] = end;
        return;
      }
    }
    falling[count] = falls;
    starts[count] = start;
    starts[++count] = end;
  }
}
