package dev.blitz.parallel;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.WorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * A recursive computation from {@code int} to {@code int}.
 *
 * <p>A fork of it leaves only the argument of its second half behind: no job object, no lambda.
 * Make one instance and use it for the whole recursion and from any thread; it should have no
 * mutable state.
 *
 * {@snippet :
 * final class Fib extends RecursiveIntJob {
 *   protected int compute(int n) {
 *     return n < 2 ? n : join(n - 1, n - 2);
 *   }
 *
 *   protected int combine(int left, int right) {
 *     return left + right;
 *   }
 * }
 * int result = new Fib().invoke(35);
 * }
 */
public abstract non-sealed class RecursiveIntJob extends ForkedJob {
  /** For subclasses. */
  protected RecursiveIntJob() {}

  /**
   * Computes the result for an argument; calls {@link #join} to go parallel.
   *
   * @param argument what to compute it for
   */
  protected abstract int compute(int argument);

  /**
   * Makes one result of two neighbours; associative.
   *
   * @param left the result of the first half
   * @param right the result of the second half
   */
  protected abstract int combine(int left, int right);

  @Override
  final Object computeBoxed(long number, @Nullable Object argument) {
    return compute((int) number);
  }

  /**
   * Computes two halves, in parallel if a worker has nothing else to do.
   *
   * @param left the argument of the first half
   * @param right the argument of the second half
   */
  protected final int join(int left, int right) {
    if (!(Thread.currentThread() instanceof WorkerThread worker)) {
      return Pool.common().call(() -> join(left, right));
    }
    int fork = Fork.push(worker, entry, right);
    if (Fork.needsAttention(worker, fork)) {
      return joinAttended(worker, fork, left);
    }
    int first;
    try {
      first = compute(left);
    } catch (Throwable t) {
      throw Fork.failed(worker, fork, t);
    }
    if (Fork.popPrivate(worker, fork)) {
      return combine(first, compute(right));
    }
    return joinShared(worker, fork, first);
  }

  private int joinAttended(WorkerThread worker, int fork, int left) {
    int first = (Integer) runAttended(worker, fork, left, null);
    return combine(first, (Integer) Fork.joinAny(worker, fork));
  }

  private int joinShared(WorkerThread worker, int fork, int first) {
    return combine(first, (Integer) Fork.joinShared(worker, fork));
  }

  /**
   * Computes the result on the current pool, or on the common one.
   *
   * @param argument what to compute it for
   */
  public final int invoke(int argument) {
    return Thread.currentThread() instanceof WorkerThread
        ? compute(argument)
        : Pool.common().call(() -> compute(argument));
  }
}
