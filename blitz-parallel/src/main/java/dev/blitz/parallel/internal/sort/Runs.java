package dev.blitz.parallel.internal.sort;

import org.jspecify.annotations.Nullable;

/**
 * The natural runs of an array, if there are few: found in slices, side by side, and joined where
 * two slices continue each other.
 *
 * @param <A> the kind of array
 */
final class Runs<A> {
  private final Numbers<A> kind;
  private final A a;

  /** Where each run starts, and at the end where the last one ends. */
  private final int[] starts;

  private final boolean[] falling;
  private int count;

  private Runs(Numbers<A> kind, A a, int max) {
    this.kind = kind;
    this.a = a;
    this.starts = new int[max + 1];
    this.falling = new boolean[max];
  }

  /**
   * Finds the runs and turns falling ones round.
   *
   * @return the starts of the runs and the end; null if they are too many, then nothing is changed
   */
  static <A> int @Nullable [] rising(Numbers<A> kind, A a, int from, int to) {
    Runs<A> runs = find(kind, a, from, to);
    if (runs == null) {
      return null;
    }
    int[] bounds = new int[runs.count + 1];
    System.arraycopy(runs.starts, 0, bounds, 0, runs.count + 1);
    for (int i = 0; i < runs.count; i++) {
      if (runs.falling[i]) {
        reverse(kind, a, bounds[i], bounds[i + 1]);
      }
    }
    return bounds;
  }

  /** Turns a range round. */
  static <A> void reverse(Numbers<A> kind, A a, int from, int to) {
    Split.each(
        0,
        (to - from) / 2,
        SortTuning.PIECE,
        (start, end) -> kind.exchange(a, from + start, to - 1 - start, end - start));
  }

  private static <A> @Nullable Runs<A> find(Numbers<A> kind, A a, int from, int to) {
    int workers = Split.workers();
    int slices = workers == 1 || to - from <= 2 * SortTuning.ALONE ? 1 : 4 * workers;
    long length = (long) to - from;
    // The first slice decides for random input, before anybody else is asked.
    Runs<A> first = new Runs<>(kind, a, SortTuning.RUNS);
    if (!first.scan(from, (int) (from + length / slices))) {
      return null;
    }
    @Nullable Runs<?>[] found = new Runs<?>[slices];
    found[0] = first;
    Split.each(
        1,
        slices,
        1,
        (s, end) -> {
          Runs<A> slice = new Runs<>(kind, a, SortTuning.RUNS);
          if (slice.scan(
              (int) (from + length * s / slices), (int) (from + length * end / slices))) {
            found[s] = slice;
          }
        });
    Runs<A> all = new Runs<>(kind, a, slices * SortTuning.RUNS);
    for (Runs<?> slice : found) {
      if (slice == null) {
        return null;
      }
      for (int i = 0; i < slice.count; i++) {
        all.add(slice.starts[i], slice.starts[i + 1], slice.falling[i]);
      }
    }
    return all.count <= SortTuning.RUNS ? all : null;
  }

  /** False: there are too many. */
  private boolean scan(int from, int to) {
    int start = from;
    while (start < to) {
      if (count == SortTuning.RUNS) {
        return false;
      }
      boolean falls = start + 1 < to && kind.isBelow(a, start + 1, a, start);
      int end = falls ? kind.fallEnd(a, start, to) : kind.riseEnd(a, start, to);
      add(start, end, falls);
      start = end;
    }
    return true;
  }

  /** Adds a run, or lengthens the last one by it. A lone element goes with either kind. */
  private void add(int start, int end, boolean falls) {
    if (count > 0) {
      int last = count - 1;
      boolean lone = start - starts[last] == 1;
      boolean fallsOn = kind.isBelow(a, start, a, start - 1);
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
