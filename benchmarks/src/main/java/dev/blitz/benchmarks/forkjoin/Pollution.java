package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import java.util.concurrent.ForkJoinPool;

/**
 * What a JVM has been through before anything is measured: every style has forked on two workers,
 * its forks were shared and stolen, and some failed. Without it a lone worker is compiled as if
 * nobody ever stole, which no real program sees.
 */
final class Pollution {
  private static final int ROUNDS = 300;
  private static final int FIB = 20;
  private static final ForkJoinTree TREE = ForkJoinTree.ofDepth(12);

  private static boolean done;

  private Pollution() {}

  /** Once per JVM. Not in a static initialiser: the workers would wait for its class. */
  static synchronized void ensure() {
    if (!done) {
      done = true;
      run();
    }
  }

  private static void run() {
    var job = new UncutFib.Job();
    var treeJob = new ForkJoinTree.Job();
    try (var pool = Pool.of(2);
        var jdk = new ForkJoinPool(2)) {
      for (int i = 0; i < ROUNDS; i++) {
        pool.call(() -> UncutFib.lambda(FIB));
        pool.call(() -> UncutFib.unboxed(FIB));
        pool.call(() -> job.invoke(FIB));
        pool.call(() -> ForkJoinTree.lambda(TREE));
        pool.call(() -> treeJob.invoke(TREE));
        jdk.invoke(new UncutFib.Boxed(FIB));
        jdk.invoke(new UncutFib.Unforked(FIB));
        jdk.invoke(new ForkJoinTree.Boxed(TREE));
        jdk.invoke(new ForkJoinTree.Unforked(TREE));
        fail(pool);
      }
    }
  }

  private static void fail(Pool pool) {
    try {
      pool.join(
          () -> {
            throw new IllegalStateException("on purpose");
          },
          () -> Parallel.join(() -> {}, () -> {}));
    } catch (IllegalStateException expected) {
      // It has been thrown and caught in compiled code: that is all.
    }
  }
}
