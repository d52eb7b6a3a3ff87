package dev.blitz.benchmarks.forkjoin;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.RecursiveToLongJob;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import org.jspecify.annotations.Nullable;

/** A full binary tree of objects, and its sum in every style. */
record ForkJoinTree(int value, @Nullable ForkJoinTree left, @Nullable ForkJoinTree right) {
  static ForkJoinTree ofDepth(int depth) {
    return depth == 0
        ? new ForkJoinTree(1, null, null)
        : new ForkJoinTree(1, ofDepth(depth - 1), ofDepth(depth - 1));
  }

  static long plain(ForkJoinTree tree) {
    var left = tree.left;
    var right = tree.right;
    return left == null || right == null ? tree.value : tree.value + plain(left) + plain(right);
  }

  static long lambda(ForkJoinTree tree) {
    var left = tree.left;
    var right = tree.right;
    return left == null || right == null
        ? tree.value
        : tree.value + Parallel.joinLong(() -> lambda(left), () -> lambda(right), Long::sum);
  }

  /** With an argument only. */
  static final class Job extends RecursiveToLongJob<ForkJoinTree> {
    @Override
    protected long compute(ForkJoinTree tree) {
      var left = tree.left;
      var right = tree.right;
      return left == null || right == null ? tree.value : tree.value + join(left, right);
    }

    @Override
    protected long combine(long left, long right) {
      return left + right;
    }
  }

  /** The JDK's pool at its best: no boxes, and an unfork instead of a join where possible. */
  static final class Unforked extends RecursiveAction {
    private static final long serialVersionUID = 1L;
    private final transient ForkJoinTree tree;
    private long result;

    Unforked(ForkJoinTree tree) {
      this.tree = tree;
    }

    long result() {
      return result;
    }

    @Override
    protected void compute() {
      var left = tree.left;
      var right = tree.right;
      if (left == null || right == null) {
        result = tree.value;
        return;
      }
      var second = new Unforked(right);
      second.fork();
      var first = new Unforked(left);
      first.compute();
      if (second.tryUnfork()) {
        second.compute();
      } else {
        second.join();
      }
      result = tree.value + first.result + second.result;
    }
  }

  /** As one would write it for the JDK's pool. */
  static final class Boxed extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1L;
    private final transient ForkJoinTree tree;

    Boxed(ForkJoinTree tree) {
      this.tree = tree;
    }

    @Override
    protected Long compute() {
      var left = tree.left;
      var right = tree.right;
      if (left == null || right == null) {
        return (long) tree.value;
      }
      var second = new Boxed(right);
      second.fork();
      return tree.value + new Boxed(left).compute() + second.join();
    }
  }
}
