package dev.blitz.benchmarks.data;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Question: does a pipeline cost what the loop costs that one would write by hand, in a JVM that
 * has run many others? The baseline is that loop; parallel streams and Rayon are the peers. A row
 * below the loop on one worker would make us look at what was spun for it.
 */
public final class DataGroup {
  private static final double OVER_HAND = 0.9;
  private static final double OVER_STREAMS = 1.5;
  private static final double OVER_RAYON = 1.0;
  private static final double TWO_OVER_ONE = 1.8;
  private static final double EARLY_NANOS = 100_000;
  private static final int LONG = 100_000_000;
  static final Path RAYON =
      Path.of("benchmarks", "peers", "rayon", "target", "release", "rayon-peer");

  private DataGroup() {}

  /**
   * The group.
   *
   * @return its workloads
   */
  public static Group group() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2}) {
      for (DataRow row : DataRow.values()) {
        rows.add(row(row, workers));
      }
    }
    rows.add(speedUp());
    for (int workers : new int[] {1, 2}) {
      rows.add(early(workers));
    }
    for (int length : new int[] {100, 1_000}) {
      rows.add(small(length));
      rows.add(smallMapped(length));
    }
    rows.add(fresh());
    rows.add(start("time", Workload.NANOS, FreshPipeline.Start::nanos));
    rows.add(start("elements", "elements", FreshPipeline.Start::elements));
    return Group.of(
            "data",
            "Does a pipeline cost what a loop written by hand costs, after many other pipelines?"
                + " Per 1,000 elements of "
                + DataRow.SIZE
                + ".",
            rows.toArray(Workload[]::new))
        .cleanAndPolluted();
  }

  private static Workload row(DataRow row, int workers) {
    var builder =
        Workload.named(row.text() + (workers == 1 ? ", 1 worker" : ", 2 workers"))
            .operations(DataRow.SIZE / 1_000)
            .blitz(() -> onPool(workers, row.blitz()));
    LongSupplier hand = row.hand();
    if (workers == 1) {
      builder.peer(Contender.timed("by hand", () -> hand::getAsLong), OVER_HAND);
    } else {
      builder.peer(Contender.timed("by hand, 1 thread", () -> hand::getAsLong));
    }
    builder.peer(
        Contender.timed("parallel stream", () -> onJdk(workers, row.stream())), OVER_STREAMS);
    if (!row.rayon().isEmpty()) {
      builder.peer(rayon(row, workers), OVER_RAYON);
    }
    return builder.build();
  }

  private static Contender rayon(DataRow row, int workers) {
    String key = "data-" + row.rayon() + "-" + DataRow.SIZE + "-" + workers;
    return new ExternalPeer("Rayon", List.of(RAYON.toString()), key);
  }

  /** What a second worker is worth where memory is not the limit. */
  private static Workload speedUp() {
    DataRow row = DataRow.COMPUTE;
    return Workload.named("speed-up of " + row.text())
        .operations(DataRow.SIZE / 1_000)
        .subject(Contender.timed("blitz, 2 workers", () -> onPool(2, row.blitz())))
        .peer(Contender.timed("blitz, 1 worker", () -> onPool(1, row.blitz())), TWO_OVER_ONE)
        .build();
  }

  /** What is found at once costs a call, however long the rest is. */
  private static Workload early(int workers) {
    return Workload.named(
            "any, found at index 0 of " + LONG + (workers == 1 ? ", 1 worker" : ", 2 workers"))
        .blitz(() ->
            onPool(workers, pool -> Parallel.range(0, LONG).on(pool).anyMatch(i -> i >= 0) ? 1 : 0))
        .peer(
            Contender.timed(
                "parallel stream",
                () ->
                    onJdk(
                        workers,
                        () -> IntStream.range(0, LONG).parallel().anyMatch(i -> i >= 0) ? 1 : 0)))
        .atMost(EARLY_NANOS)
        .build();
  }

  /** With functions, which a sum has not. */
  private static Workload smallMapped(int length) {
    int times = 1_000_000 / length;
    var loops = new SmallSums(length, times);
    return Workload.named("map, filter, sum of " + length + " longs")
        .operations(times)
        .blitz(() -> loops::blitzMapped)
        .peer(Contender.timed("by hand", () -> loops::handMapped), 1 / 1.2)
        .peer(Contender.timed("parallel stream", () -> loops::streamMapped), OVER_STREAMS)
        .build();
  }

  /** What a pipeline costs that nobody has run before, until it has its own code and beyond. */
  private static Workload fresh() {
    return Workload.named("first " + FreshPipeline.ELEMENTS + " elements of a new pipeline")
        .blitz(() -> () -> FreshPipeline.first(FreshPipeline::blitz))
        .peer(Contender.timed("by hand", () -> () -> FreshPipeline.first(FreshPipeline::hand)))
        .peer(
            Contender.timed(
                "parallel stream", () -> () -> FreshPipeline.first(FreshPipeline::stream)),
            1.0)
        .build();
  }

  /** How long, in time and in elements, a new pipeline is slower than it will be. */
  private static Workload start(
      String what, String unit, ToDoubleFunction<FreshPipeline.Start> of) {
    return Workload.named(what + " until a new pipeline runs at full speed")
        .unit(unit)
        .subject(
            Contender.measured(
                Workload.BLITZ,
                () -> of.applyAsDouble(FreshPipeline.Start.of(FreshPipeline::blitz))))
        .peer(
            Contender.measured(
                "by hand", () -> of.applyAsDouble(FreshPipeline.Start.of(FreshPipeline::hand))))
        .peer(
            Contender.measured(
                "parallel stream",
                () -> of.applyAsDouble(FreshPipeline.Start.of(FreshPipeline::stream))))
        .reportOnly()
        .build();
  }

  /** On the thread that calls, as short pipelines are. */
  private static Workload small(int length) {
    int times = 1_000_000 / length;
    var loops = new SmallSums(length, times);
    return Workload.named("sum of " + length + " longs")
        .operations(times)
        .blitz(() -> loops::blitz)
        .peer(Contender.timed("by hand", () -> loops::hand), 1 / 1.2)
        .peer(Contender.timed("parallel stream", () -> loops::stream), OVER_STREAMS)
        .build();
  }

  static Fixture onPool(int workers, ToLongFunction<Pool> body) {
    var pool = Pool.of(workers);
    return new Fixture() {
      @Override
      public long run() {
        return body.applyAsLong(pool);
      }

      @Override
      public void tearDown() {
        pool.close();
      }
    };
  }

  /** A parallel stream that is run in a pool runs on its workers. */
  private static Fixture onJdk(int workers, LongSupplier body) {
    var pool = new ForkJoinPool(workers);
    return new Fixture() {
      @Override
      public long run() {
        return pool.submit(body::getAsLong).join();
      }

      @Override
      public void tearDown() {
        pool.close();
      }
    };
  }
}
