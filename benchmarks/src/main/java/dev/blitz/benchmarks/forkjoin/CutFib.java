package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.RecursiveIntJob;
import java.util.concurrent.RecursiveTask;

/** Fibonacci that is sequential at or below {@link #CUT}: some ten thousand calls per fork. */
final class CutFib {
  /** The same in the peers of other languages. */
  static final int CUT = 20;

  private CutFib() {}

  static int lambda(int n) {
    return n <= CUT
        ? UncutFib.plain(n)
        : Parallel.join(() -> lambda(n - 1), () -> lambda(n - 2), Integer::sum);
  }

  /** With an argument only. */
  static final class Job extends RecursiveIntJob {
    @Override
    protected int compute(int n) {
      return n <= CUT ? UncutFib.plain(n) : join(n - 1, n - 2);
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
        return UncutFib.plain(n);
      }
      var right = new Boxed(n - 2);
      right.fork();
      return new Boxed(n - 1).compute() + right.join();
    }
  }
}
