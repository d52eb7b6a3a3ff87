package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** Fibonacci in every style: nothing but forks when uncut, sequential at or below the cut. */
final class ForkJoinFib {
  /** Uncut: every call with n above 1 forks. */
  static final int UNCUT = 1;

  private ForkJoinFib() {}

  static int plain(int n) {
    return n < 2 ? n : plain(n - 1) + plain(n - 2);
  }

  /** How often an uncut fib forks: one less than the next number of the series. */
  static long forks(int n) {
    return plain(n + 1) - 1L;
  }

  static int lambda(int n, int cut) {
    return n <= cut
        ? plain(n)
        : Parallel.join(() -> lambda(n - 1, cut), () -> lambda(n - 2, cut), Integer::sum);
  }

  static int unboxed(int n, int cut) {
    return n <= cut
        ? plain(n)
        : Parallel.joinInt(() -> unboxed(n - 1, cut), () -> unboxed(n - 2, cut), Integer::sum);
  }

  /** With an argument only. */
  static final class Job extends RecursiveIntJob {
    private final int cut;

    Job(int cut) {
      this.cut = cut;
    }

    @Override
    protected int compute(int n) {
      return n <= cut ? plain(n) : join(n - 1, n - 2);
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
    private final int cut;

    Boxed(int n, int cut) {
      this.n = n;
      this.cut = cut;
    }

    @Override
    protected Integer compute() {
      if (n <= cut) {
        return plain(n);
      }
      var right = new Boxed(n - 2, cut);
      right.fork();
      return new Boxed(n - 1, cut).compute() + right.join();
    }
  }

  /** The JDK's pool at its best: no boxes, and an unfork instead of a join where possible. */
  static final class Unforked extends RecursiveAction {
    private static final long serialVersionUID = 1L;
    private final int n;
    private final int cut;
    private int result;

    Unforked(int n, int cut) {
      this.n = n;
      this.cut = cut;
    }

    int result() {
      return result;
    }

    @Override
    protected void compute() {
      if (n <= cut) {
        result = plain(n);
        return;
      }
      var right = new Unforked(n - 2, cut);
      right.fork();
      var left = new Unforked(n - 1, cut);
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
