package dev.blitz.parallel;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everything at once: random trees of joins, scopes in scopes, loops, broadcasts and calls into a
 * second pool, with failures anywhere, from several callers. Each tree knows beforehand how many
 * leaves must run and whether it must fail.
 */
public final class PoolSeededStress implements SeededStress {
  private static final int MAX_WORKERS = 8;
  private static final int MAX_CALLERS = 6;
  private static final int TREES_PER_CALLER = 30;
  private static final int MAX_DEPTH = 9;

  /** For the service loader. */
  public PoolSeededStress() {}

  @Override
  public void run(long seed, Duration budget) throws Exception {
    var random = new SplittableRandom(seed);
    long deadline = System.nanoTime() + budget.toNanos();
    do {
      round(random);
    } while (System.nanoTime() < deadline);
  }

  private static void round(SplittableRandom random) throws Exception {
    int workers = random.nextInt(1, MAX_WORKERS + 1);
    int callers = random.nextInt(1, MAX_CALLERS + 1);
    try (var pool = Pool.builder().workers(workers).seed(random.nextLong()).build();
        var other = Pool.builder().workers(2).seed(random.nextLong()).build()) {
      List<FutureTask<Void>> running = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        long callerSeed = random.nextLong();
        var task =
            new FutureTask<Void>(() -> {
              trees(new SplittableRandom(callerSeed), pool, other);
              return null;
            });
        running.add(task);
        var builder = random.nextBoolean() ? Thread.ofVirtual() : Thread.ofPlatform();
        builder.start(task);
      }
      for (FutureTask<Void> task : running) {
        rethrow(task);
      }
    }
  }

  private static void rethrow(FutureTask<Void> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new AssertionError("a caller failed", e.getCause());
    }
  }

  private static void trees(SplittableRandom random, Pool pool, Pool other) {
    for (int i = 0; i < TREES_PER_CALLER; i++) {
      var tree = new Tree(random.nextLong(), other, random.nextInt(3) == 0);
      int depth = random.nextInt(1, MAX_DEPTH + 1);
      boolean failed = false;
      try {
        pool.run(() -> tree.grow(depth, 1));
      } catch (LeafFailure e) {
        failed = true;
      }
      tree.check(depth, failed);
    }
  }

  /** A binary tree whose every inner node goes parallel in its own way. */
  private static final class Tree {
    private final long seed;
    private final Pool other;
    private final boolean mayFail;
    private final AtomicInteger leaves = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    Tree(long seed, Pool other, boolean mayFail) {
      this.seed = seed;
      this.other = other;
      this.mayFail = mayFail;
    }

    void grow(int depth, int path) {
      if (depth == 0) {
        leaf(path);
        return;
      }
      int kind = new SplittableRandom(seed ^ path).nextInt(100);
      if (kind < 70) {
        Parallel.join(() -> grow(depth - 1, 2 * path), () -> grow(depth - 1, 2 * path + 1));
      } else if (kind < 90) {
        Parallel.scope(s -> {
          s.spawn(() -> grow(depth - 1, 2 * path));
          s.spawn(() -> grow(depth - 1, 2 * path + 1));
        });
      } else if (kind < 97) {
        both(depth, path);
      } else {
        other.join(() -> grow(depth - 1, 2 * path), () -> grow(depth - 1, 2 * path + 1));
      }
    }

    /** By a loop, which may not skip its second index although the first fails. */
    private void both(int depth, int path) {
      List<Throwable> thrown = new ArrayList<>();
      Parallel.parallelFor(
          0,
          2,
          i -> {
            try {
              grow(depth - 1, 2 * path + i);
            } catch (LeafFailure e) {
              synchronized (thrown) {
                thrown.add(e);
              }
            }
          });
      if (!thrown.isEmpty()) {
        throw (LeafFailure) thrown.getFirst();
      }
    }

    private void leaf(int path) {
      leaves.incrementAndGet();
      if (mayFail && new SplittableRandom(seed - path).nextInt(50) == 0) {
        failures.incrementAndGet();
        throw new LeafFailure();
      }
    }

    void check(int depth, boolean failed) {
      if (leaves.get() != 1 << depth || failed != failures.get() > 0) {
        throw new AssertionError(
            "depth %d: %d leaves, %d failures, failed %s, tree seed %d"
                .formatted(depth, leaves.get(), failures.get(), failed, seed));
      }
    }
  }

  private static final class LeafFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LeafFailure() {
      super("leaf", null, true, false);
    }
  }
}
