package dev.blitz.benchmarks.data;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.sort.ParallelSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Question: is a sort never slower than the JDK's, and how much quicker where it can be? Each run
 * sorts a fresh copy, and the copy is measured too, on both sides.
 */
public final class SortGroup {
  private static final int SIZE = 1_000_000;
  private static final double ANY = 1.0;
  private static final double PATTERNED = 1.5;
  private static final double RANDOM = 2.0;

  private enum Pattern {
    RANDOM,
    SORTED,
    REVERSE,
    EQUAL,
    ORGAN_PIPE,
    FEW_DISTINCT,
    NEARLY_SORTED;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The same in the Rust peer: whoever changes one changes both. */
    long[] longs() {
      long[] a = new long[SIZE];
      for (int i = 0; i < SIZE; i++) {
        long random = (i * 0x9E3779B97F4A7C15L) ^ ((i * 0x9E3779B97F4A7C15L) >>> 29);
        random *= 0xBF58476D1CE4E5B9L;
        random ^= random >>> 32;
        a[i] =
            switch (this) {
              case RANDOM -> random;
              case SORTED -> i;
              case REVERSE -> SIZE - i;
              case EQUAL -> 42;
              case ORGAN_PIPE -> Math.min(i, SIZE - i);
              case FEW_DISTINCT -> random & 7;
              case NEARLY_SORTED -> i % 100 == 99 ? Math.floorMod(random, SIZE) : i;
            };
      }
      return a;
    }
  }

  private SortGroup() {}

  /**
   * The group.
   *
   * @return its workloads
   */
  public static Group group() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2}) {
      for (Pattern pattern : Pattern.values()) {
        rows.add(longs(pattern, workers));
        rows.add(doubles(pattern, workers));
        rows.add(ints(pattern, workers));
        rows.add(objects(pattern, workers));
      }
      rows.add(unstable(workers));
      rows.add(byLong(workers));
    }
    return Group.of(
        "sort",
        "Is a sort of "
            + SIZE
            + " never slower than Arrays.parallelSort, and quicker where it can be?",
        rows.toArray(Workload[]::new));
  }

  private static String name(String kind, Pattern pattern, int workers) {
    return kind + ", " + pattern.text() + (workers == 1 ? ", 1 worker" : ", 2 workers");
  }

  private static double target(Pattern pattern, int workers) {
    if (workers == 1) {
      return ANY;
    }
    return pattern == Pattern.RANDOM ? RANDOM : PATTERNED;
  }

  private static Contender rayon(String kind, Pattern pattern, int workers) {
    String key =
        "sort-" + kind + "-" + pattern.text().replace(' ', '_') + "-" + SIZE + "-" + workers;
    return new ExternalPeer("Rayon", List.of(DataGroup.RAYON.toString()), key);
  }

  private static Workload longs(Pattern pattern, int workers) {
    return Workload.named(name("longs", pattern, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          long[] input = pattern.longs();
          return DataGroup.onPool(
              workers,
              pool -> {
                long[] a = input.clone();
                pool.run(() -> Parallel.sort(a));
                return a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  long[] input = pattern.longs();
                  return () -> {
                    long[] a = input.clone();
                    Arrays.parallelSort(a);
                    return a[SIZE / 2];
                  };
                }),
            target(pattern, workers))
        .peer(rayon("long", pattern, workers), ANY)
        .build();
  }

  private static Workload doubles(Pattern pattern, int workers) {
    return Workload.named(name("doubles", pattern, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          double[] input = Arrays.stream(pattern.longs()).mapToDouble(x -> x / 3.0).toArray();
          return DataGroup.onPool(
              workers,
              pool -> {
                double[] a = input.clone();
                pool.run(() -> Parallel.sort(a));
                return (long) a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  double[] input =
                      Arrays.stream(pattern.longs()).mapToDouble(x -> x / 3.0).toArray();
                  return () -> {
                    double[] a = input.clone();
                    Arrays.parallelSort(a);
                    return (long) a[SIZE / 2];
                  };
                }),
            target(pattern, workers))
        .peer(rayon("double", pattern, workers), ANY)
        .build();
  }

  private static Workload ints(Pattern pattern, int workers) {
    return Workload.named(name("ints", pattern, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          int[] input = Arrays.stream(pattern.longs()).mapToInt(x -> (int) x).toArray();
          return DataGroup.onPool(
              workers,
              pool -> {
                int[] a = input.clone();
                pool.run(() -> Parallel.sort(a));
                return a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  int[] input = Arrays.stream(pattern.longs()).mapToInt(x -> (int) x).toArray();
                  return () -> {
                    int[] a = input.clone();
                    Arrays.parallelSort(a);
                    return a[SIZE / 2];
                  };
                }),
            ANY)
        .peer(rayon("int", pattern, workers), ANY)
        .build();
  }

  private static Long[] boxed(Pattern pattern) {
    return Arrays.stream(pattern.longs()).boxed().toArray(Long[]::new);
  }

  private static Workload objects(Pattern pattern, int workers) {
    return Workload.named(name("objects, stable", pattern, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          Long[] input = boxed(pattern);
          return DataGroup.onPool(
              workers,
              pool -> {
                Long[] a = input.clone();
                pool.run(() -> Parallel.sort(a, (x, y) -> Long.compare(x, y)));
                return a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  Long[] input = boxed(pattern);
                  return () -> {
                    Long[] a = input.clone();
                    Arrays.parallelSort(a, (x, y) -> Long.compare(x, y));
                    return a[SIZE / 2];
                  };
                }),
            ANY)
        .build();
  }

  private static Workload unstable(int workers) {
    return Workload.named(name("objects, unstable", Pattern.RANDOM, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          Long[] input = boxed(Pattern.RANDOM);
          return DataGroup.onPool(
              workers,
              pool -> {
                Long[] a = input.clone();
                pool.run(() -> ParallelSort.sortUnstable(a, (x, y) -> Long.compare(x, y)));
                return a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  Long[] input = boxed(Pattern.RANDOM);
                  return () -> {
                    Long[] a = input.clone();
                    Arrays.parallelSort(a, (x, y) -> Long.compare(x, y));
                    return a[SIZE / 2];
                  };
                }),
            ANY)
        .build();
  }

  private static Workload byLong(int workers) {
    return Workload.named(name("objects by a long", Pattern.RANDOM, workers))
        .operations(SIZE / 1_000)
        .blitz(() -> {
          Long[] input = boxed(Pattern.RANDOM);
          return DataGroup.onPool(
              workers,
              pool -> {
                Long[] a = input.clone();
                pool.run(() -> ParallelSort.sortByLong(a, x -> x));
                return a[SIZE / 2];
              });
        })
        .peer(
            Contender.timed(
                "Arrays.parallelSort",
                () -> {
                  Long[] input = boxed(Pattern.RANDOM);
                  return () -> {
                    Long[] a = input.clone();
                    Arrays.parallelSort(a, Comparator.comparingLong(x -> x));
                    return a[SIZE / 2];
                  };
                }),
            ANY)
        .build();
  }
}
