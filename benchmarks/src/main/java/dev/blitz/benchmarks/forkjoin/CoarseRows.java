package dev.blitz.benchmarks.forkjoin;

import dev.blitz.benchmarks.harness.Contender;
import dev.blitz.benchmarks.harness.Workload;
import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.PoolStats;
import dev.blitz.parallel.Work;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

/**
 * Question: what does a call cost that finds the pool asleep, and is coarse work seen by others?
 * The baseline is the JDK's pool, whose forks are all visible. A call that wakes more than one
 * worker, or work that hides behind a long leaf, would make us look at sleep and sharing again.
 */
final class CoarseRows {
  private static final int CALLS = 200;
  private static final int LEAVES = 8;
  private static final long LONG_NANOS = 2_000_000;
  private static final long SHORT_NANOS = 20_000;

  private CoarseRows() {}

  static List<Workload> all() {
    List<Workload> rows = new ArrayList<>();
    for (int workers : new int[] {1, 2, 8}) {
      rows.add(sleeping(workers));
    }
    rows.add(uneven());
    rows.add(unevenByJoins());
    rows.add(shallow());
    return rows;
  }

  private interface Calls {
    /** Waits until all workers sleep. */
    void awaitSleep();

    int call();
  }

  /** The median of single calls; the wait for sleep before each is not counted. */
  private static double median(Calls calls) {
    long[] nanos = new long[CALLS];
    int sum = calls.call();
    for (int i = 0; i < CALLS; i++) {
      calls.awaitSleep();
      long start = System.nanoTime();
      sum += calls.call();
      nanos[i] = System.nanoTime() - start;
    }
    if (sum != CALLS + 1) {
      throw new IllegalStateException(sum + " calls were answered");
    }
    Arrays.sort(nanos);
    return nanos[CALLS / 2];
  }

  private static Workload sleeping(int workers) {
    return Workload.named("call to a sleeping pool, " + workers + " workers")
        .subject(Contender.measured(Workload.BLITZ, () -> ours(workers)))
        .peer(Contender.measured("ForkJoinPool", () -> theirs(workers)), 1.0)
        .build();
  }

  private static double ours(int workers) {
    try (var pool = Pool.of(workers)) {
      return median(
          new Calls() {
            @Override
            public void awaitSleep() {
              PoolStats stats = pool.stats();
              while (stats.slept() - stats.woken() < workers) {
                Thread.onSpinWait();
                stats = pool.stats();
              }
            }

            @Override
            public int call() {
              return pool.call(() -> 1);
            }
          });
    }
  }

  private static double theirs(int workers) {
    List<Thread> threads = new ArrayList<>();
    ForkJoinPool.ForkJoinWorkerThreadFactory factory =
        pool -> {
          var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
          synchronized (threads) {
            threads.add(thread);
          }
          return thread;
        };
    try (var pool = new ForkJoinPool(workers, factory, null, false)) {
      return median(
          new Calls() {
            @Override
            public void awaitSleep() {
              while (!asleep()) {
                Thread.onSpinWait();
              }
            }

            private boolean asleep() {
              synchronized (threads) {
                return threads.stream()
                    .map(Thread::getState)
                    .allMatch(s -> s == Thread.State.WAITING || s == Thread.State.TIMED_WAITING);
              }
            }

            @Override
            public int call() {
              return pool.submit(() -> 1).join();
            }
          });
    }
  }

  private static int busy(long nanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      Thread.onSpinWait();
    }
    return 1;
  }

  /** Eight leaves, the first two of them a hundred times as long as the others. */
  private static Workload uneven() {
    List<Work<Integer, RuntimeException>> work = new ArrayList<>();
    for (int i = 0; i < LEAVES; i++) {
      long nanos = i < 2 ? LONG_NANOS : SHORT_NANOS;
      work.add(() -> busy(nanos));
    }
    return Workload.named("tryJoin of 8 uneven leaves, 2 workers")
        .blitz(() -> ForkJoinGroup.onPool(2, () -> Parallel.tryJoin(work).size()))
        .peer(
            Contender.timed(
                "ForkJoinPool",
                () ->
                    ForkJoinGroup.onJdk(
                        2,
                        pool -> pool.submit(() -> ForkJoinTask.invokeAll(tasks()).size()).join())),
            0.95)
        .build();
  }

  /** The same leaves as a tree of plain joins: is what lies above a long leaf visible? */
  private static Workload unevenByJoins() {
    return Workload.named("joins of 8 uneven leaves, 2 workers")
        .blitz(() -> ForkJoinGroup.onPool(2, () -> uneven(0, LEAVES)))
        .peer(
            Contender.timed(
                "ForkJoinPool",
                () -> ForkJoinGroup.onJdk(2, pool -> pool.invoke(new Uneven(0, LEAVES)))),
            0.95)
        .build();
  }

  private static int uneven(int from, int to) {
    if (to - from == 1) {
      return busy(from < 2 ? LONG_NANOS : SHORT_NANOS);
    }
    int middle = (from + to) / 2;
    return Parallel.joinInt(() -> uneven(from, middle), () -> uneven(middle, to), Integer::sum);
  }

  private static final class Uneven extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1L;
    private final int from;
    private final int to;

    Uneven(int from, int to) {
      this.from = from;
      this.to = to;
    }

    @Override
    protected Integer compute() {
      if (to - from == 1) {
        return busy(from < 2 ? LONG_NANOS : SHORT_NANOS);
      }
      int middle = (from + to) / 2;
      var right = new Uneven(middle, to);
      right.fork();
      return new Uneven(from, middle).compute() + right.join();
    }
  }

  private static List<ForkJoinTask<Integer>> tasks() {
    List<ForkJoinTask<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < LEAVES; i++) {
      long nanos = i < 2 ? LONG_NANOS : SHORT_NANOS;
      tasks.add(ForkJoinTask.adapt(() -> busy(nanos)));
    }
    return tasks;
  }

  /** A tree of eight coarse leaves by plain joins. */
  private static Workload shallow() {
    return Workload.named("shallow join of 8 leaves of 20 us, 2 workers")
        .blitz(() -> ForkJoinGroup.onPool(2, () -> leaves(LEAVES)))
        .peer(
            Contender.timed(
                "ForkJoinPool", () -> ForkJoinGroup.onJdk(2, pool -> pool.invoke(new Leaves(8)))),
            1.0)
        .build();
  }

  private static int leaves(int count) {
    return count == 1
        ? busy(SHORT_NANOS)
        : Parallel.joinInt(() -> leaves(count / 2), () -> leaves(count / 2), Integer::sum);
  }

  private static final class Leaves extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1L;
    private final int count;

    Leaves(int count) {
      this.count = count;
    }

    @Override
    protected Integer compute() {
      if (count == 1) {
        return busy(SHORT_NANOS);
      }
      var right = new Leaves(count / 2);
      right.fork();
      return new Leaves(count / 2).compute() + right.join();
    }
  }
}
