package dev.blitz.benchmarks.forkjoin;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.ExternalPeer;
import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.benchmarks.harness.Group;
import dev.blitz.benchmarks.harness.Measurement;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.PoolStats;
import dev.blitz.parallel.internal.ForkSteps;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;

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
  private static final double LOOP_OVER_PLAIN = 1 / 1.2;
  private static final int LOOP_ELEMENTS = 1_000_000;
  private static final int FIB = 35;
  private static final int LARGE_FIB = 40;

  /** A thousand to a hundred million forks. */
  private static final int[] GROWTH = {15, 20, 25, 30, 35, 39};

  private static final int CALLS = 100;
  private static final int SCOPES = 10_000;
  private static final long FORKS_PER_CALL = 2_000_000;

  private ForkJoinGroup() {}

  /**
   * The group.
   *
   * @return its workloads
   */
  public static Group group() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2}) {
      rows.add(uncut(workers));
      rows.add(cut(FIB, workers));
      rows.add(cut(LARGE_FIB, workers));
      for (int depth : new int[] {10, 15, 20}) {
        rows.add(tree(depth, workers));
      }
    }
    for (int workers : new int[] {1, 2}) {
      rows.add(largeUncut(workers));
    }
    // Cost growth: the same fork, more times.
    for (int n : GROWTH) {
      rows.add(growth("one of " + UncutFib.forks(n) + " forks", n));
    }
    rows.add(oversubscribed());
    rows.add(step("step: push", ForkSteps::push));
    rows.add(step("step: local join", ForkSteps::localJoin));
    rows.add(step("step: join of what was stolen and is done", ForkSteps::stolenAndDone));
    rows.add(step("step: steal, no other processor involved", ForkSteps::steal));
    rows.add(step("step: wake, cost of the waker", () -> wake().postNanos()));
    rows.add(step("step: wake, until the job runs", () -> wake().runNanos()));
    rows.add(emptyScope());
    rows.add(call("call to a pool that is awake"));
    rows.addAll(CoarseRows.all());
    for (int length : new int[] {10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000}) {
      rows.add(sum(length));
      rows.add(fill(length));
    }
    rows.add(pollutedFill());
    return Group.of(
        "fork-join",
        "What does a fork cost, stolen or not, against a plain call, Rayon and the JDK's pool?"
            + " Every style has been shared, stolen and has failed in the JVM before.",
        rows.toArray(Workload[]::new));
  }

  private static String on(int workers) {
    return workers == 1 ? ", 1 worker" : ", " + workers + " workers";
  }

  /** Lambda is the subject; the other ways to write it are peers, so that all are in one table. */
  private static Workload uncut(int workers) {
    var row =
        Workload.named("fib(" + FIB + ") uncut" + on(workers))
            .operations(UncutFib.forks(FIB))
            .blitz(() -> onPool(workers, () -> UncutFib.lambda(FIB)))
            .peer(
                Contender.timed(
                    "blitz joinInt", () -> onPool(workers, () -> UncutFib.unboxed(FIB))))
            .peer(Contender.timed("blitz recursive job", () -> fibJob(FIB, workers)))
            .peer(
                Contender.timed(
                    "ForkJoinPool unboxed",
                    () ->
                        onJdk(
                            workers,
                            pool -> {
                              var task = new UncutFib.Unforked(FIB);
                              pool.invoke(task);
                              return task.result();
                            })))
            .peer(Contender.timed("ForkJoinPool", () -> fibBoxed(FIB, workers)), OVER_JDK)
            .peer(rayon("fib-uncut-" + FIB + "-" + workers), OVER_RAYON);
    var plain = Contender.timed("plain call", () -> () -> UncutFib.plain(FIB));
    if (workers == 1) {
      row.peer(plain, LAMBDA_OVER_PLAIN);
    } else {
      row.peer(plain);
    }
    return row.build();
  }

  /** No targets: between two forks lie some ten thousand calls, so nobody's fork shows here. */
  private static Workload cut(int n, int workers) {
    return Workload.named("fib(" + n + ") cut at " + CutFib.CUT + on(workers))
        .blitz(() -> onPool(workers, () -> CutFib.lambda(n)))
        .peer(
            Contender.timed(
                "blitz recursive job",
                () -> {
                  var job = new CutFib.Job();
                  return onPool(workers, () -> job.invoke(n));
                }))
        .peer(
            Contender.timed(
                "ForkJoinPool", () -> onJdk(workers, pool -> pool.invoke(new CutFib.Boxed(n)))))
        .peer(rayon("fib-cut-" + n + "-" + workers))
        .peer(Contender.timed("plain call", () -> () -> CutFib.leaf(n)))
        .build();
  }

  /** A hundred and sixty-five million forks: fewer contenders, because each takes seconds. */
  private static Workload largeUncut(int workers) {
    return Workload.named("fib(" + LARGE_FIB + ") uncut" + on(workers))
        .operations(UncutFib.forks(LARGE_FIB))
        .blitz(() -> onPool(workers, () -> UncutFib.lambda(LARGE_FIB)))
        .peer(Contender.timed("blitz recursive job", () -> fibJob(LARGE_FIB, workers)))
        .peer(Contender.timed("ForkJoinPool", () -> fibBoxed(LARGE_FIB, workers)), OVER_JDK)
        .peer(rayon("fib-uncut-" + LARGE_FIB + "-" + workers), OVER_RAYON)
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
                "ForkJoinPool unboxed",
                () ->
                    onJdk(
                        workers,
                        pool -> {
                          var task = new ForkJoinTree.Unforked(tree);
                          pool.invoke(task);
                          return task.result();
                        })))
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

  /**
   * A fork of many and of few, and on more workers than there are processors.
   *
   * @return points of curves
   */
  public static List<Workload> scaling() {
    List<Workload> points = new ArrayList<>();
    for (int n : GROWTH) {
      points.add(growth("a fork: %,d".formatted(UncutFib.forks(n)), n));
    }
    for (int count = 1; count <= 8; count *= 2) {
      int workers = count;
      points.add(
          Workload.named("a fork of fib(35), by workers: " + workers)
              .operations(UncutFib.forks(FIB))
              .blitz(() -> onPool(workers, () -> UncutFib.lambda(FIB)))
              .peer(Contender.timed("ForkJoinPool", () -> fibBoxed(FIB, workers)))
              .build());
    }
    return points;
  }

  /** Small ones are repeated within one call, so that the call itself does not show. */
  private static Workload growth(String name, int n) {
    long forks = UncutFib.forks(n);
    int times = (int) Math.max(1, FORKS_PER_CALL / forks);
    var job = new UncutFib.Job();
    return Workload.named(name)
        .operations(forks * times)
        .subject(
            Contender.timed(
                "blitz recursive job",
                () ->
                    onPool(
                        1,
                        () -> {
                          long sum = 0;
                          for (int i = 0; i < times; i++) {
                            sum += job.invoke(n);
                          }
                          return sum;
                        })))
        .peer(
            Contender.timed(
                "plain call",
                () ->
                    () -> {
                      long sum = 0;
                      for (int i = 0; i < times; i++) {
                        sum += UncutFib.plain(n);
                      }
                      return sum;
                    }),
            JOB_OVER_PLAIN)
        .build();
  }

  /** Below a hundred elements the call itself is all there is: reported, not judged. */
  private static Workload sum(int length) {
    var loops = new Loops(length);
    return loop(
        "sum of " + length + " longs",
        length,
        Contender.timed(Workload.BLITZ, () -> () -> loops.parallelSum(times(length))),
        Contender.timed("plain loop", () -> () -> loops.plainSum(times(length))),
        Contender.timed("parallel stream", () -> () -> loops.streamSum(times(length))));
  }

  private static Workload fill(int length) {
    var loops = new Loops(length);
    return loop(
        "parallelFor over " + length + " longs",
        length,
        Contender.timed(Workload.BLITZ, () -> () -> loops.parallelFill(times(length))),
        Contender.timed("plain loop", () -> () -> loops.plainFill(times(length))),
        Contender.timed("parallel stream", () -> () -> loops.streamFill(times(length))));
  }

  private static Workload loop(
      String name, int length, Contender subject, Contender plain, Contender stream) {
    var row = Workload.named(name).operations(times(length)).subject(subject);
    if (length < 100) {
      row.peer(plain);
    } else {
      row.peer(plain, LOOP_OVER_PLAIN);
    }
    return row.peer(stream).build();
  }

  private static int times(int length) {
    return Math.max(1, LOOP_ELEMENTS / length);
  }

  /**
   * The body that takes a whole block is what a loop without pollution costs: it is called once per
   * block, whatever else went through the loop.
   */
  private static Workload pollutedFill() {
    int length = 1_000_000;
    var loops = new Loops(length);
    // Per thousand: what takes less than a nanosecond is not judged.
    return Workload.named("parallelFor after other lambdas, per 1,000 indices, 1 worker")
        .operations(length / 1_000)
        .subject(
            Contender.timed(
                Workload.BLITZ,
                () -> {
                  Fixture fixture = onPool(1, loops::fillOn);
                  try (var other = Pool.of(2)) {
                    Loops.pollute(other);
                  }
                  return fixture;
                }))
        .peer(Contender.timed("blitz by ranges", () -> onPool(1, loops::rangesOn)), LOOP_OVER_PLAIN)
        .peer(Contender.timed("plain loop", () -> () -> loops.plainFill(1)))
        .build();
  }

  private static Workload step(String name, Measurement nanos) {
    return Workload.named(name)
        .subject(Contender.measured(Workload.BLITZ, nanos))
        .reportOnly()
        .build();
  }

  private static Workload emptyScope() {
    return Workload.named("an empty scope")
        .operations(SCOPES)
        .blitz(() ->
            onPool(
                1,
                () -> {
                  long opened = 0;
                  for (int i = 0; i < SCOPES; i++) {
                    Parallel.scope(scope -> {});
                    opened++;
                  }
                  return opened;
                }))
        .reportOnly()
        .build();
  }

  private record Wake(double postNanos, double runNanos) {}

  /** Medians, because now and then the whole machine does something else. */
  private static Wake wake() {
    long[] post = new long[CALLS];
    long[] run = new long[CALLS];
    try (var pool = Pool.of(2)) {
      for (int i = 0; i < CALLS; i++) {
        awaitSleep(pool);
        var ran = new AtomicLong();
        long start = System.nanoTime();
        pool.spawn(() -> ran.set(System.nanoTime()));
        post[i] = System.nanoTime() - start;
        while (ran.get() == 0) {
          Thread.onSpinWait();
        }
        run[i] = ran.get() - start;
      }
    }
    Arrays.sort(post);
    Arrays.sort(run);
    return new Wake(post[CALLS / 2], run[CALLS / 2]);
  }

  /** More workers than processors must cost less than a fifth. */
  private static Workload oversubscribed() {
    return Workload.named("fib(" + FIB + ") uncut, 8 workers on this machine")
        .operations(UncutFib.forks(FIB))
        .subject(Contender.timed("8 workers", () -> fibJob(FIB, 8)))
        .peer(Contender.timed("2 workers", () -> fibJob(FIB, 2)), 0.8)
        .build();
  }

  /** What a wake-up costs is the operating system's business: reported, not judged. */
  private static Workload call(String name) {
    return Workload.named(name)
        .operations(CALLS)
        .blitz(() ->
            onPool(
                2,
                pool -> {
                  long sum = 0;
                  for (int i = 0; i < CALLS; i++) {
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

  private static Fixture fibJob(int n, int workers) {
    var job = new UncutFib.Job();
    return onPool(workers, () -> job.invoke(n));
  }

  private static Fixture fibBoxed(int n, int workers) {
    return onJdk(workers, pool -> pool.invoke(new UncutFib.Boxed(n)));
  }

  interface InPool {
    long run();
  }

  interface WithPool<P> {
    long run(P pool);
  }

  static Fixture onPool(int workers, InPool body) {
    return onPool(workers, pool -> pool.call(body::run));
  }

  private static Fixture onPool(int workers, WithPool<Pool> body) {
    Pollution.ensure();
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

  static Fixture onJdk(int workers, WithPool<ForkJoinPool> body) {
    Pollution.ensure();
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
