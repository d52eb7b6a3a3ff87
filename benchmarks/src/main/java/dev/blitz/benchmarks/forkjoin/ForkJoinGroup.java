package dev.blitz.benchmarks.forkjoin;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.PoolStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Question: what does a fork cost, stolen or not? The baseline is the plain recursive call and the
 * JDK's pool, boxed and at its best. A peer that forks for less, or a cost that grows with the
 * number of forks, would make us look at the fork stack again.
 */
public final class ForkJoinGroup {
  private static final double OVER_JDK = 2.5;
  private static final double OVER_RAYON = 1.3;
  private static final Path RAYON =
      Path.of("benchmarks", "peers", "rayon", "target", "release", "rayon-peer");
  private static final double LAMBDA_OVER_PLAIN = 1 / 3.5;
  private static final double JOB_OVER_PLAIN = 1 / 2.0;
  private static final int FIB = 35;
  private static final int LARGE_FIB = 40;
  private static final int CUT = 20;
  private static final int CALLS = 100;

  private ForkJoinGroup() {}

  /**
   * The group.
   *
   * @return its workloads
   */
  public static Group group() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2}) {
      rows.add(fib(FIB, ForkJoinFib.UNCUT, workers));
      rows.add(fib(FIB, CUT, workers));
      rows.add(fib(LARGE_FIB, CUT, workers));
      for (int depth : new int[] {10, 15, 20}) {
        rows.add(tree(depth, workers));
      }
    }
    // Cost growth: the same fork, a thousand to a hundred million times.
    for (int n : new int[] {15, 25, 38}) {
      rows.add(growth(n));
    }
    rows.add(oversubscribed());
    rows.add(call("call to a pool that is awake", false));
    rows.add(call("call to a sleeping pool", true));
    return Group.of(
        "fork-join",
        "What does a fork cost, stolen or not, against a plain call and the JDK's pool?",
        rows.toArray(Workload[]::new));
  }

  private static String on(int workers) {
    return workers == 1 ? ", 1 worker" : ", " + workers + " workers";
  }

  /** Lambda is the subject; the other ways to write it are peers, so that all are in one table. */
  private static Workload fib(int n, int cut, int workers) {
    boolean uncut = cut == ForkJoinFib.UNCUT;
    var row =
        Workload.named("fib(" + n + ") " + (uncut ? "uncut" : "cut at " + cut) + on(workers))
            .operations(uncut ? ForkJoinFib.forks(n) : 1)
            .blitz(() -> onPool(workers, () -> ForkJoinFib.lambda(n, cut)))
            .peer(
                Contender.timed(
                    "blitz joinInt", () -> onPool(workers, () -> ForkJoinFib.unboxed(n, cut))))
            .peer(Contender.timed("blitz recursive job", () -> fibJob(n, cut, workers)));
    var plain = Contender.timed("plain call", () -> () -> ForkJoinFib.plain(n));
    if (uncut && workers == 1) {
      row.peer(plain, LAMBDA_OVER_PLAIN);
    } else {
      row.peer(plain);
    }
    var boxed = Contender.timed("ForkJoinPool", () -> fibBoxed(n, cut, workers));
    if (uncut) {
      row.peer(boxed, OVER_JDK);
    } else {
      row.peer(boxed);
    }
    return row.peer(Contender.timed("ForkJoinPool unboxed", () -> fibUnforked(n, cut, workers)))
        .build();
  }

  private static Workload tree(int depth, int workers) {
    var tree = ForkJoinTree.ofDepth(depth);
    return Workload.named("tree of depth " + depth + on(workers))
        .operations((1L << depth) - 1)
        .blitz(() -> onPool(workers, () -> ForkJoinTree.lambda(tree)))
        .peer(
            Contender.timed(
                "blitz recursive job",
                () -> {
                  var job = new ForkJoinTree.Job();
                  return onPool(workers, () -> job.invoke(tree));
                }))
        .peer(Contender.timed("plain call", () -> () -> ForkJoinTree.plain(tree)))
        .peer(
            Contender.timed(
                "ForkJoinPool",
                () -> onJdk(workers, pool -> pool.invoke(new ForkJoinTree.Boxed(tree)))),
            OVER_JDK)
        .peer(rayon("tree-" + depth + "-" + workers), OVER_RAYON)
        .build();
  }

  /** Rayon, as {@code benchmarks/peers/build} has built it; skipped where that could not. */
  private static Contender rayon(String key) {
    return new ExternalPeer("Rayon", List.of(RAYON.toString()), key);
  }

  private static Workload growth(int n) {
    return Workload.named("one fork of " + ForkJoinFib.forks(n))
        .operations(ForkJoinFib.forks(n))
        .subject(Contender.timed("blitz recursive job", () -> fibJob(n, ForkJoinFib.UNCUT, 1)))
        .peer(Contender.timed("plain call", () -> () -> ForkJoinFib.plain(n)), JOB_OVER_PLAIN)
        .build();
  }

  /** More workers than processors must cost less than a fifth. */
  private static Workload oversubscribed() {
    int cut = ForkJoinFib.UNCUT;
    return Workload.named("fib(" + FIB + ") uncut, 8 workers on this machine")
        .operations(ForkJoinFib.forks(FIB))
        .subject(Contender.timed("8 workers", () -> fibJob(FIB, cut, 8)))
        .peer(Contender.timed("2 workers", () -> fibJob(FIB, cut, 2)), 0.8)
        .build();
  }

  /** What a wake-up costs is the operating system's business: reported, not judged. */
  private static Workload call(String name, boolean asleep) {
    return Workload.named(name)
        .operations(CALLS)
        .blitz(() ->
            onPool(
                2,
                pool -> {
                  long sum = 0;
                  for (int i = 0; i < CALLS; i++) {
                    if (asleep) {
                      awaitSleep(pool);
                    }
                    sum += pool.call(() -> Parallel.workerIndex());
                  }
                  return sum;
                }))
        .peer(
            Contender.timed(
                "ForkJoinPool",
                () ->
                    onJdk(
                        2,
                        pool -> {
                          long sum = 0;
                          for (int i = 0; i < CALLS; i++) {
                            sum += pool.submit(() -> 1).join();
                          }
                          return sum;
                        })))
        .reportOnly()
        .build();
  }

  private static void awaitSleep(Pool pool) {
    PoolStats stats = pool.stats();
    while (stats.slept() - stats.woken() < pool.workers()) {
      Thread.onSpinWait();
      stats = pool.stats();
    }
  }

  private static Fixture fibJob(int n, int cut, int workers) {
    var job = new ForkJoinFib.Job(cut);
    return onPool(workers, () -> job.invoke(n));
  }

  private static Fixture fibBoxed(int n, int cut, int workers) {
    return onJdk(workers, pool -> pool.invoke(new ForkJoinFib.Boxed(n, cut)));
  }

  private static Fixture fibUnforked(int n, int cut, int workers) {
    return onJdk(
        workers,
        pool -> {
          var task = new ForkJoinFib.Unforked(n, cut);
          pool.invoke(task);
          return task.result();
        });
  }

  private interface InPool {
    long run();
  }

  private interface WithPool<P> {
    long run(P pool);
  }

  private static Fixture onPool(int workers, InPool body) {
    return onPool(workers, pool -> pool.call(body::run));
  }

  private static Fixture onPool(int workers, WithPool<Pool> body) {
    var pool = Pool.of(workers);
    return new Fixture() {
      @Override
      public long run() {
        return body.run(pool);
      }

      @Override
      public void tearDown() {
        pool.close();
      }
    };
  }

  private static Fixture onJdk(int workers, WithPool<ForkJoinPool> body) {
    var pool = new ForkJoinPool(workers);
    return new Fixture() {
      @Override
      public long run() {
        return body.run(pool);
      }

      @Override
      public void tearDown() {
        pool.close();
      }
    };
  }
}
