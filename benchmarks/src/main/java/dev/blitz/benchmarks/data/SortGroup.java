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
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * Question: is a sort never slower than the JDK's, and how much quicker where it can be? Each run
 * sorts a fresh copy, and the copy is measured too, on both sides. The JVM has sorted by other
 * comparators before.
 */
public final class SortGroup {
  private static final int SIZE = 1_000_000;
  private static final int LARGE = 10_000_000;

  /** What takes no longer than some wake-ups is repeated within one call: the JDK makes none. */
  private static final int QUICK_TIMES = 8;

  private static final double ANY = 1.0;
  private static final double PATTERNED = 1.5;
  private static final double RANDOM = 2.0;

  private SortGroup() {}

  /**
   * What is sorted, and how.
   *
   * @param name in tables
   * @param rayon its name in the peer, "" if it has none
   * @param input of a pattern
   * @param copy of an input
   * @param blitz sorts
   * @param jdk sorts
   * @param check something of the result
   * @param <A> the kind of array
   */
  private record Sorts<A>(
      String name,
      String rayon,
      Function<SortPattern.Sized, A> input,
      UnaryOperator<A> copy,
      Consumer<A> blitz,
      Consumer<A> jdk,
      ToLongFunction<A> check) {}

  private static final Sorts<long[]> LONGS =
      new Sorts<>(
          "longs",
          "long",
          SortPattern.Sized::longs,
          long[]::clone,
          Parallel::sort,
          Arrays::parallelSort,
          a -> a[a.length / 2]);

  private static final Sorts<double[]> DOUBLES =
      new Sorts<>(
          "doubles",
          "double",
          p -> Arrays.stream(p.longs()).mapToDouble(x -> x / 3.0).toArray(),
          double[]::clone,
          Parallel::sort,
          Arrays::parallelSort,
          a -> (long) a[a.length / 2]);

  private static final Sorts<int[]> INTS =
      new Sorts<>(
          "ints",
          "int",
          p -> Arrays.stream(p.longs()).mapToInt(x -> (int) x).toArray(),
          int[]::clone,
          Parallel::sort,
          Arrays::parallelSort,
          a -> a[a.length / 2]);

  private static Sorts<Long[]> objects(String name, Consumer<Long[]> blitz, Consumer<Long[]> jdk) {
    return new Sorts<>(
        name,
        "",
        p -> Arrays.stream(p.longs()).boxed().toArray(Long[]::new),
        Long[]::clone,
        blitz,
        jdk,
        a -> a[a.length / 2]);
  }

  private static final Sorts<Long[]> STABLE =
      objects(
          "objects, stable",
          a -> Parallel.sort(a, (x, y) -> Long.compare(x, y)),
          a -> Arrays.parallelSort(a, (x, y) -> Long.compare(x, y)));

  private static final Sorts<Long[]> UNSTABLE =
      objects(
          "objects, unstable",
          a -> ParallelSort.sortUnstable(a, (x, y) -> Long.compare(x, y)),
          a -> Arrays.parallelSort(a, (x, y) -> Long.compare(x, y)));

  private static final Sorts<Long[]> BY_LONG =
      objects(
          "objects by a long",
          a -> ParallelSort.sortByLong(a, x -> x),
          a -> Arrays.parallelSort(a, Comparator.comparingLong(x -> x)));

  private static final Sorts<String[]> STRINGS =
      new Sorts<>(
          "strings",
          "string",
          p ->
              Arrays.stream(p.longs())
                  .mapToObj(x -> "key-%016x".formatted(x))
                  .toArray(String[]::new),
          String[]::clone,
          Parallel::sort,
          Arrays::parallelSort,
          a -> a[a.length / 2].hashCode());

  /**
   * The group.
   *
   * @return its workloads
   */
  public static Group group() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2}) {
      for (SortPattern pattern : SortPattern.values()) {
        rows.add(row(LONGS, pattern, SIZE, workers));
        rows.add(row(DOUBLES, pattern, SIZE, workers));
        rows.add(row(INTS, pattern, SIZE, workers));
        rows.add(row(STABLE, pattern, SIZE, workers));
      }
      rows.add(row(UNSTABLE, SortPattern.RANDOM, SIZE, workers));
      rows.add(row(BY_LONG, SortPattern.RANDOM, SIZE, workers));
      rows.add(row(STRINGS, SortPattern.RANDOM, SIZE, workers));
      rows.add(row(STRINGS, SortPattern.NEARLY_SORTED, SIZE, workers));
    }
    for (SortPattern pattern : List.of(SortPattern.RANDOM, SortPattern.NEARLY_SORTED)) {
      rows.add(row(LONGS, pattern, LARGE, 2));
      rows.add(row(DOUBLES, pattern, LARGE, 2));
      rows.add(row(INTS, pattern, LARGE, 2));
    }
    return Group.of(
            "sort",
            "Is a sort never slower than Arrays.parallelSort, and quicker where it can be? Per 1,000"
                + " elements of "
                + SIZE
                + " unless said otherwise.",
            rows.toArray(Workload[]::new))
        .jvm("-Xms2g", "-Xmx2g");
  }

  private static <A> double target(Sorts<A> sorts, SortPattern pattern, int workers) {
    if (workers == 1 || (sorts != LONGS && sorts != DOUBLES)) {
      return ANY;
    }
    return pattern == SortPattern.RANDOM ? RANDOM : PATTERNED;
  }

  private static <A> Workload row(Sorts<A> sorts, SortPattern pattern, int size, int workers) {
    var input = new SortPattern.Sized(pattern, size);
    int times = pattern.isQuick() ? QUICK_TIMES : 1;
    var builder =
        Workload.named(
                sorts.name()
                    + (size == SIZE ? ", " : ", " + size + ", ")
                    + pattern.text()
                    + (workers == 1 ? ", 1 worker" : ", 2 workers"))
            .operations((long) times * (size / 1_000))
            .blitz(() -> {
              OtherSorts.ensure();
              A from = sorts.input().apply(input);
              return DataGroup.onPool(
                  workers,
                  // All of it there, as Rayon's peer has it: another processor's copy is cold.
                  pool ->
                      pool.call(() -> {
                        long sum = 0;
                        for (int i = 0; i < times; i++) {
                          A a = sorts.copy().apply(from);
                          sorts.blitz().accept(a);
                          sum += sorts.check().applyAsLong(a);
                        }
                        return sum;
                      }));
            })
            .peer(
                Contender.timed(
                    "Arrays.parallelSort",
                    () -> {
                      OtherSorts.ensure();
                      A from = sorts.input().apply(input);
                      return () -> {
                        long sum = 0;
                        for (int i = 0; i < times; i++) {
                          A a = sorts.copy().apply(from);
                          sorts.jdk().accept(a);
                          sum += sorts.check().applyAsLong(a);
                        }
                        return sum;
                      };
                    }),
                target(sorts, pattern, workers));
    if (!sorts.rayon().isEmpty()) {
      String key =
          "sort-%s-%s-%d-%d"
              .formatted(sorts.rayon(), pattern.text().replace(' ', '_'), size, workers);
      builder.peer(new ExternalPeer("Rayon", List.of(DataGroup.RAYON.toString()), key), ANY);
    }
    return builder.build();
  }
}
