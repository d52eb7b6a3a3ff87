package dev.blitz.benchmarks.data;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Pool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Question: does a pipeline cost what the loop costs that one would write by hand, in a JVM that
 * has run many others? The baseline is that loop; parallel streams and Rayon are the peers. A row
 * below the loop on one worker would make us look at what was spun for it.
 */
public final class DataGroup {
  private static final double OVER_HAND = 0.9;
  private static final double OVER_STREAMS = 1.5;
  private static final double OVER_RAYON = 1.0;
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
    for (int length : new int[] {100, 1_000}) {
      rows.add(small(length));
    }
    return Group.of(
        "data",
        "Does a pipeline cost what a loop written by hand costs, after many other pipelines?"
            + " Per 1,000 elements of "
            + DataRow.SIZE
            + ".",
        rows.toArray(Workload[]::new));
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
    return builder
        .peer(Contender.timed("parallel stream", () -> onJdk(workers, row.stream())), OVER_STREAMS)
        .peer(
            new ExternalPeer(
                "Rayon",
                List.of(RAYON.toString()),
                "data-" + row.rayon() + "-" + DataRow.SIZE + "-" + workers),
            OVER_RAYON)
        .build();
  }

  /** On the thread that calls, as short pipelines are. */
  private static Workload small(int length) {
    int times = 1_000_000 / length;
    var loops = new SmallSums(length, times);
    return Workload.named("sum of " + length + " longs")
        .operations(times)
        .blitz(() -> {
          OtherPipelines.ensure();
          return loops::blitz;
        })
        .peer(Contender.timed("by hand", () -> loops::hand), 1 / 1.2)
        .peer(Contender.timed("parallel stream", () -> loops::stream), OVER_STREAMS)
        .build();
  }

  static Fixture onPool(int workers, ToLongFunction<Pool> body) {
    OtherPipelines.ensure();
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
    OtherPipelines.ensure();
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
