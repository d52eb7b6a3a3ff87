package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** Fibonacci in every style without a cut: nothing but forks. */
final class UncutFib {
  private UncutFib() {}

  static int plain(int n) {
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
  }

  /** How often it forks: one less than the next number of the series. */
  static long forks(int n) {
    return plain(n + 1) - 1L;
  }

  static int lambda(int n) {
    return n < 2 ? n : Parallel.join(() -> lambda(n - 1), () -> lambda(n - 2), Integer::sum);
  }

  static int unboxed(int n) {
    return n < 2 ? n : Parallel.joinInt(() -> unboxed(n - 1), () -> unboxed(n - 2), Integer::sum);
  }

  /** With an argument only. */
  static final class Job extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n < 2 ? n : join(n - 1, n - 2);
    }

    @Override
    protected int combine(int left, int right) {
      return left + right;
    }
  }

  /** As one would write it for the JDK's pool. */
  static final class Boxed extends RecursiveTask<Integer> {
    private static final long serialVersionUID = 1L;
    private final int n;

    Boxed(int n) {
      this.n = n;
    }

    @Override
    protected Integer compute() {
      if (n < 2) {
        return n;
      }
      var right = new Boxed(n - 2);
      right.fork();
      return new Boxed(n - 1).compute() + right.join();
    }
  }

  /** The JDK's pool at its best: no boxes, and an unfork instead of a join where possible. */
  static final class Unforked extends RecursiveAction {
    private static final long serialVersionUID = 1L;
    private final int n;
    private int result;

    Unforked(int n) {
      this.n = n;
    }

    int result() {
      return result;
    }

    @Override
    protected void compute() {
      if (n < 2) {
        result = n;
        return;
      }
      var right = new Unforked(n - 2);
      right.fork();
      var left = new Unforked(n - 1);
      left.compute();
      if (right.tryUnfork()) {
        right.compute();
      } else {
        right.join();
      }
      result = left.result + right.result;
    }
  }
}
