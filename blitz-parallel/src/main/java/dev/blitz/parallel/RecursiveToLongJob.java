package dev.blitz.parallel;

import dev.blitz.parallel.internal.Fork;
import dev.blitz.parallel.internal.WorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * A recursive computation from an object to {@code long}.
 *
 * <p>A fork of it leaves only the argument of its second half behind: no job object, no lambda.
 * Make one instance and use it for the whole recursion and from any thread; it should have no
 * mutable state.
 *
 * {@snippet :
 * final class Sum extends RecursiveToLongJob<Tree> {
 *   protected long compute(Tree tree) {
 *     return tree.isLeaf() ? tree.value() : tree.value() + join(tree.left(), tree.right());
 *   }
 *
 *   protected long combine(long left, long right) {
 *     return left + right;
 *   }
 * }
 * }
 *
 * @param <T> the argument
 */
public abstract non-sealed class RecursiveToLongJob<T extends @Nullable Object> extends ForkedJob {
  /** For subclasses. */
  protected RecursiveToLongJob() {}

  /**
   * Computes the result for an argument; calls {@link #join} to go parallel.
   *
   * @param argument what to compute it for
   */
  protected abstract long compute(T argument);

  /**
   * Makes one result of two neighbours; associative.
   *
   * @param left the result of the first half
   * @param right the result of the second half
   */
  protected abstract long combine(long left, long right);

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
  protected final long join(T left, T right) {
    if (!(Thread.currentThread() instanceof WorkerThread worker)) {
      return Pool.common().call(() -> join(left, right));
    }
    int fork = Fork.push(worker, entry, right);
    if (Fork.needsAttention(worker, fork)) {
      return joinAttended(worker, fork, left);
    }
    long first;
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

  private long joinAttended(WorkerThread worker, int fork, T left) {
    long first = (Long) runAttended(worker, fork, 0, left);
    return combine(first, (Long) Fork.joinAny(worker, fork));
  }

  private long joinShared(WorkerThread worker, int fork, long first) {
    return combine(first, (Long) Fork.joinShared(worker, fork));
  }

  /**
   * Computes the result on the current pool, or on the common one.
   *
   * @param argument what to compute it for
   */
  public final long invoke(T argument) {
    return Thread.currentThread() instanceof WorkerThread
        ? compute(argument)
        : Pool.common().call(() -> compute(argument));
  }
}
