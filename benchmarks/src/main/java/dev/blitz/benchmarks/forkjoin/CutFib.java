package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.concurrent.RecursiveTask;

/** Fibonacci that is sequential at or below {@link #CUT}: some ten thousand calls per fork. */
final class CutFib {
  /** The same in the peers of other languages. */
  static final int CUT = 20;

  private CutFib() {}

  /**
   * The sequential part, with one of its two calls as a loop: compilers that make it one by
   * themselves and those that do not then run the same. The same in the peers of other languages.
   */
  static int leaf(int argument) {
    int n = argument;
    int sum = 0;
    while (n >= 2) {
      sum += leaf(n - 1);
      n -= 2;
    }
    return sum + n;
  }

  static int lambda(int n) {
    return n <= CUT
        ? leaf(n)
        : Parallel.join(() -> lambda(n - 1), () -> lambda(n - 2), Integer::sum);
  }

  /** With an argument only. */
  static final class Job extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n <= CUT ? leaf(n) : join(n - 1, n - 2);
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
      if (n <= CUT) {
        return leaf(n);
      }
      var right = new Boxed(n - 2);
      right.fork();
      return new Boxed(n - 1).compute() + right.join();
    }
  }
}
