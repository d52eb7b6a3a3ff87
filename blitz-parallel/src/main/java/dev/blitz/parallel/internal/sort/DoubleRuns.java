package dev.blitz.parallel.internal.sort;

import static dev.blitz.parallel.internal.sort.DoubleSort.key;

import org.jspecify.annotations.Nullable;

/** {@link LongRuns} for doubles without NaNs, in the order of their keys: -0.0 before 0.0. */
final class DoubleRuns {
  /** Elements that are looked at together. */
  private static final int STEP = 2048;

  /** Where each run starts, and at the end where the last one ends. */
  private final int[] starts;

  private final boolean[] falling;
  private int count;

  private DoubleRuns(int max) {
    this.starts = new int[max + 1];
    this.falling = new boolean[max];
  }

  /**
   * Finds the runs and turns falling ones round.
   *
   * @return the starts of the runs and the end; null if they are too many, then nothing is changed
   */
  static int @Nullable [] risingRuns(double[] a, int from, int to) {
    DoubleRuns runs = find(a, from, to);
    if (runs == null) {
      return null;
    }
    int[] bounds = new int[runs.count + 1];
    System.arraycopy(runs.starts, 0, bounds, 0, runs.count + 1);
    for (int i = 0; i < runs.count; i++) {
      if (runs.falling[i]) {
        DoubleSort.reverse(a, bounds[i], bounds[i + 1]);
      }
    }
    return bounds;
  }

  private static @Nullable DoubleRuns find(double[] a, int from, int to) {
    int slices = to - from <= 2 * SortTuning.ALONE ? 1 : 4 * Split.workers();
    // The first slice decides for random input, before anybody else is asked.
    @Nullable DoubleRuns[] found = new DoubleRuns[slices];
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
    DoubleRuns all = new DoubleRuns(slices * SortTuning.RUNS);
    for (DoubleRuns slice : found) {
      if (slice == null) {
        return null;
      }
      for (int i = 0; i < slice.count; i++) {
        all.add(a, slice.starts[i], slice.starts[i + 1], slice.falling[i]);
      }
    }
    return all.count <= SortTuning.RUNS ? all : null;
  }

  private static @Nullable DoubleRuns scan(double[] a, int from, int to) {
    DoubleRuns runs = new DoubleRuns(SortTuning.RUNS);
    int start = from;
    while (start < to) {
      if (runs.count == SortTuning.RUNS) {
        return null;
      }
      int end = start + 1;
      boolean falls = end < to && key(a[end]) < key(a[start]);
      if (falls) {
        while (end + STEP <= to && falls(a, end, end + STEP)) {
          end += STEP;
        }
        while (end < to && key(a[end]) < key(a[end - 1])) {
          end++;
        }
      } else {
        while (end + STEP <= to && rises(a, end, end + STEP)) {
          end += STEP;
        }
        while (end < to && key(a[end]) >= key(a[end - 1])) {
          end++;
        }
      }
      runs.add(a, start, end, falls);
      start = end;
    }
    return runs;
  }

  /** Whether none is below the one before it; without branches, so that it is done by vectors. */
  private static boolean rises(double[] a, int from, int to) {
    long any = 0;
    for (int i = from; i < to; i++) {
      any |= LongRuns.below(key(a[i]), key(a[i - 1]));
    }
    return any >= 0;
  }

  /** Whether each is below the one before it. */
  private static boolean falls(double[] a, int from, int to) {
    long all = -1;
    for (int i = from; i < to; i++) {
      all &= LongRuns.below(key(a[i]), key(a[i - 1]));
    }
    return all < 0;
  }

  /** Adds a run, or lengthens the last one by it. A lone element goes with either kind. */
  private void add(double[] a, int start, int end, boolean falls) {
    if (count > 0) {
      int last = count - 1;
      boolean lone = start - starts[last] == 1;
      boolean fallsOn = key(a[start]) < key(a[start - 1]);
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
