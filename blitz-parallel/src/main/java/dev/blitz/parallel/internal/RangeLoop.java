package dev.blitz.parallel.internal;

import dev.blitz.parallel.CancelToken;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.RangeFunction;
import dev.blitz.parallel.Work;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An ordered reduction over a range that is cut only when another worker asks for work.
 *
 * <p>A worker that comes to the loop cuts off a few pieces for those who may sleep, then goes
 * through its range in blocks. Between blocks it looks whether a thief asks: if so it forks the
 * second half of what is left and goes on with the first. Blocks start at the grain and grow while
 * they are quick, so demand is noticed soon whatever the body costs, and a loop that nobody helps
 * with is one sequential loop.
 *
 * @param <T> the result
 * @param <X> what the body throws
 */
public final class RangeLoop<T, X extends Exception> {
  /** The result of a piece that was stopped before its first block: forks yield no null. */
  private static final Object NOTHING = new Object();

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
    return run(worker, from, to, grain, true);
  }

  /**
   * Runs a piece.
   *
   * @param startBlock what a block of the loop had grown to
   * @param offer this worker has just come to the loop: others may sleep, and ask nobody
   */
  private @Nullable T run(WorkerThread worker, int from, int to, int startBlock, boolean offer)
      throws X {
    T result = null;
    int block = startBlock;
    int next = from;
    while (next < to && !isStopped()) {
      long left = (long) to - next;
      if (left / 2 >= grain && (worker.isAskedForWork() || (offer && worker.offersTooFew()))) {
        int middle = (int) (next + left / 2);
        return merge(result, cut(worker, next, middle, to, block, offer));
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

  /**
   * A fork of its own rather than {@link Fork#join}: what passes through that one decides how well
   * the joins of others are compiled.
   */
  @SuppressWarnings("unchecked") // a piece yields a T or NOTHING
  private @Nullable T cut(
      WorkerThread worker, int from, int middle, int to, int block, boolean offer) throws X {
    Piece piece = new Piece(worker, middle, to, block);
    int fork = worker.push(piece);
    T left;
    try {
      worker.attend();
      left = run(worker, from, middle, block, offer);
    } catch (Throwable t) {
      throw Throwing.<X>sneaky(worker.failed(fork, t));
    }
    Object right = worker.popPrivate(fork) ? piece.run() : worker.<X>joinShared(fork);
    return right == NOTHING ? left : merge(left, (T) right);
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

  /** The second part of a range that was cut. */
  private final class Piece implements Work<Object, X> {
    private final WorkerThread owner;
    private final int from;
    private final int to;
    private final int block;

    Piece(WorkerThread owner, int from, int to, int block) {
      this.owner = owner;
      this.from = from;
      this.to = to;
      this.block = block;
    }

    @Override
    public Object run() throws X {
      WorkerThread worker = (WorkerThread) Thread.currentThread();
      T result = RangeLoop.this.run(worker, from, to, block, worker != owner);
      return result == null ? NOTHING : result;
    }
  }
}
