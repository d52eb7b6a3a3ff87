package dev.blitz.parallel.alternatives;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.Pool;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Question: what does a fork cost that nobody steals? Prints the least nanoseconds per fork of fib
 * over many runs, one worker each. Run it with each collector; numbers in the ADR.
 */
public final class ForkPathComparison {
  private static final int N = 25;
  private static final double FORKS = 121_392;
  private static final int ROUNDS = 4;
  private static final int RUNS = 300;

  private ForkPathComparison() {}

  private static int plain(int n) {
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
  }

  private static int boxed(int n) {
    return n < 2 ? n : Parallel.join(() -> boxed(n - 1), () -> boxed(n - 2), Integer::sum);
  }

  private static int unboxed(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> unboxed(n - 1), () -> unboxed(n - 2), Integer::sum);
  }

  private static int chaseLev(int n) {
    return n < 2 ? n : ChaseLevWorker.join(() -> chaseLev(n - 1), () -> chaseLev(n - 2));
  }

  private static int split(int n) {
    return n < 2 ? n : SplitDequeWorker.join(() -> split(n - 1), () -> split(n - 2));
  }

  private static final class Typed extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected int combine(int left, int right) {
      return left + right;
    }
  }

  private static final class Jdk extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1L;
    private final int n;

    Jdk(int n) {
      this.n = n;
    }

    @Override
    protected Integer compute() {
      if (n < 2) {
        return n;
      }
      var right = new Jdk(n - 2);
      right.fork();
      return new Jdk(n - 1).compute() + right.join();
    }
  }

  /** Prints a line per round; the last is the one that counts. */
  public static void main(String[] args) throws Exception {
    var typed = new Typed();
    try (var pool = Pool.of(1);
        var jdk = new ForkJoinPool(1)) {
      for (int round = 0; round < ROUNDS; round++) {
        System.out.printf(
            "plain %.2f | lambda %.2f | joinInt %.2f | recursive job %.2f | Chase-Lev %.2f"
                + " | split deque %.2f | ForkJoinPool %.2f%n",
            least(ForkPathComparison::plain),
            pool.call(() -> least(ForkPathComparison::boxed)),
            pool.call(() -> least(ForkPathComparison::unboxed)),
            pool.call(() -> least(typed::invoke)),
            onThread(ChaseLevWorker::new, ForkPathComparison::chaseLev),
            onThread(SplitDequeWorker::new, ForkPathComparison::split),
            jdk.submit(() -> least(n -> new Jdk(n).invoke())).get());
      }
    }
  }

  private static double least(IntUnaryOperator fib) {
    long best = Long.MAX_VALUE;
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      int result = fib.applyAsInt(N);
      best = Math.min(best, System.nanoTime() - start);
      if (result != 75_025) {
        throw new AssertionError("fib(" + N + ") = " + result);
      }
    }
    return best / FORKS;
  }

  private static double onThread(Function<Runnable, Thread> worker, IntUnaryOperator fib)
      throws InterruptedException {
    double[] nanos = new double[1];
    Thread thread = worker.apply(() -> nanos[0] = least(fib));
    thread.start();
    thread.join();
    return nanos[0];
  }
}
