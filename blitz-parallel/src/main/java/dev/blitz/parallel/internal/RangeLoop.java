package dev.blitz.parallel.internal;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.RangeFunction;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An ordered reduction over a range that is cut only when another worker asks for work.
 *
 * <p>A worker goes through its range in blocks. Between blocks it looks whether it was asked: if so
 * it forks the second half of what is left and goes on with the first. Blocks start at the grain
 * and grow while they are quick, so demand is noticed soon whatever the body costs, and a loop that
 * nobody helps with is one sequential loop.
 *
 * @param <T> the result
 * @param <X> what the body throws
 */
public final class RangeLoop<T, X extends Exception> {
  private final RangeFunction<? extends T, X> body;
  private final BinaryOperator<T> combiner;
  private final int grain;
  private final @Nullable CancelToken token;

  /** Some block failed, or found what it looked for: start no more. */
  private volatile boolean stopped;

  /**
   * A loop.
   *
   * @param body reduces a block
   * @param combiner makes one result of two neighbours
   * @param options how to cut and stop it
   */
  public RangeLoop(
      RangeFunction<? extends T, X> body, BinaryOperator<T> combiner, LoopOptions options) {
    this.body = body;
    this.combiner = combiner;
    this.grain = options.grain();
    this.token = options.token();
  }

  /** No block is started after this. */
  public void stop() {
    stopped = true;
  }

  /**
   * Runs on the current thread, a worker.
   *
   * @param from the first index
   * @param to the end
   * @return the result; null when nothing was run
   * @throws X what the body throws
   */
  public @Nullable T run(int from, int to) throws X {
    if (!(Thread.currentThread() instanceof WorkerThread worker)) {
      throw new IllegalStateException("not on a worker");
    }
    T result = null;
    int block = grain;
    int next = from;
    while (next < to && !isStopped()) {
      long left = (long) to - next;
      if (left / 2 >= grain && worker.isAskedForWork()) {
        return merge(result, split(worker, next, (int) (next + left / 2), to));
      }
      int end = (int) Math.min(next + (long) block, to);
      long start = System.nanoTime();
      result = merge(result, runBlock(next, end));
      block = resize(block, System.nanoTime() - start);
      next = end;
    }
    return result;
  }

  private boolean isStopped() {
    if (token != null) {
      token.throwIfCancelled();
    }
    return stopped;
  }

  private @Nullable T split(WorkerThread worker, int from, int middle, int to) throws X {
    // A null half means that it was stopped before its first block; the record keeps nulls out of
    // the fork path.
    Partial<T> both =
        Fork.<Partial<T>, Partial<T>, Partial<T>, X>join(
            worker,
            () -> new Partial<>(run(from, middle)),
            () -> new Partial<>(run(middle, to)),
            (a, b) -> new Partial<>(merge(a.value(), b.value())));
    return both.value();
  }

  private T runBlock(int from, int to) throws X {
    try {
      return body.run(from, to);
    } catch (Throwable t) {
      stop();
      throw t;
    }
  }

  private @Nullable T merge(@Nullable T left, @Nullable T right) {
    if (left == null) {
      return right;
    }
    return right == null ? left : combiner.apply(left, right);
  }

  private int resize(int block, long nanos) {
    if (nanos < Tuning.LOOP_BLOCK_NANOS) {
      return block < Tuning.MAX_LOOP_BLOCK ? block * 2 : block;
    }
    return nanos > 4 * Tuning.LOOP_BLOCK_NANOS ? Math.max(block / 2, grain) : block;
  }

  private record Partial<T>(@Nullable T value) {}
}
