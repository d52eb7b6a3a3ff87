package dev.blitz.parallel;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.WorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * A recursive computation from an object to an object.
 *
 * <p>A fork of it leaves only the argument of its second half behind: no job object, no lambda.
 * Make one instance and use it for the whole recursion and from any thread; it should have no
 * mutable state.
 *
 * {@snippet :
 * final class Bounds extends RecursiveJob<Shape, Box> {
 *   protected Box compute(Shape shape) {
 *     return shape.isSimple() ? shape.box() : join(shape.first(), shape.rest());
 *   }
 *
 *   protected Box combine(Box left, Box right) {
 *     return left.union(right);
 *   }
 * }
 * }
 *
 * @param <T> the argument
 * @param <R> the result
 */
public abstract non-sealed class RecursiveJob<T extends @Nullable Object, R> extends ForkedJob {
  /** For subclasses. */
  protected RecursiveJob() {}

  /**
   * Computes the result for an argument; calls {@link #join} to go parallel.
   *
   * @param argument what to compute it for
   */
  protected abstract R compute(T argument);

  /**
   * Makes one result of two neighbours; associative.
   *
   * @param left the result of the first half
   * @param right the result of the second half
   */
  protected abstract R combine(R left, R right);

  @Override
  // Only join leaves arguments; they arrive as they were given, shared or not.
  @SuppressWarnings({"unchecked", "NullAway"})
  final Object computeBoxed(long number, @Nullable Object argument) {
    return compute((T) argument);
  }

  /**
   * Computes two halves, in parallel if a worker has nothing else to do.
   *
   * @param left the argument of the first half
   * @param right the argument of the second half
   */
  protected final R join(T left, T right) {
    if (!(Thread.currentThread() instanceof WorkerThread worker)) {
      return Pool.common().call(() -> join(left, right));
    }
    int fork = Fork.push(worker, entry, right);
    if (Fork.needsAttention(worker, fork)) {
      return joinAttended(worker, fork, left);
    }
    R first;
    try {
      first = compute(left);
    } catch (Throwable t) {
      throw Fork.failed(worker, fork, t);
    }
    if (Fork.popPrivateArgument(worker, fork)) {
      return combine(first, compute(right));
    }
    return joinShared(worker, fork, first);
  }

  @SuppressWarnings("unchecked") // both halves yield what compute yields
  private R joinAttended(WorkerThread worker, int fork, T left) {
    R first = (R) runAttended(worker, fork, 0, left);
    return combine(first, (R) Fork.joinAny(worker, fork));
  }

  @SuppressWarnings("unchecked") // a shared half yields what compute yields
  private R joinShared(WorkerThread worker, int fork, R first) {
    return combine(first, (R) Fork.joinShared(worker, fork));
  }

  /**
   * Computes the result on the current pool, or on the common one.
   *
   * @param argument what to compute it for
   */
  public final R invoke(T argument) {
    return Thread.currentThread() instanceof WorkerThread
        ? compute(argument)
        : Pool.common().call(() -> compute(argument));
  }
}
