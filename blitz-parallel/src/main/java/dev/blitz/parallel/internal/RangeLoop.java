package dev.blitz.parallel.internal;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.Work;
import dev.blitz.parallel.internal.plan.Cost;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An ordered reduction over a range that is cut only when it is worth another worker's while.
 *
 * <p>A worker that comes to the loop cuts off a few pieces for those who may sleep, then goes
 * through its range in blocks. Between blocks it looks whether a thief asks: if so it forks the
 * second half of what is left and goes on with the first. What is left must be worth a wake-up, by
 * what elements have cost so far. Blocks grow while they are quick, up to a bound in time and one
 * in elements, so demand and cancellation are noticed soon whatever the body costs, and a loop that
 * nobody helps with is one sequential loop.
 *
 * <p>A thread outside the pool runs a loop that should be short itself, and hands the rest over
 * when it turns out not to be.
 *
 * @param <X> what the body throws
 */
/*
 * Implementation notes
 *
 * Orderings:
 *   field        writer                       reader      mode        pairs with
 *   stopped      whoever fails or finds       all pieces  volatile    a hint: results and failures travel through forks
 *   interrupted  the outside caller, waiting  all pieces  volatile    the same
 */
abstract class RangeLoop<T, X extends Exception> {
  /** The result of a piece that was stopped before its first block: forks yield no null. */
  private static final Object NOTHING = new Object();

  private final LoopHome home;
  private final Cost cost;
  private final long grain;
  private final @Nullable BooleanSupplier stopWhen;
  private final Thread caller = Thread.currentThread();

  /** Some block failed, or found what it looked for: start no more. */
  private volatile boolean stopped;

  /** The caller, which waits outside the pool, was interrupted. */
  private volatile boolean interrupted;

  RangeLoop(LoopHome home, LoopOptions options, Cost cost) {
    this.home = home;
    this.cost = cost;
    this.grain = options.grain();
    this.stopWhen = options.stopWhen();
  }

  /** Reduces a block; may end early once {@link #isStopped}. */
  abstract @Nullable T runBlock(long from, long to) throws X;

  /** Makes one result of two neighbours. */
  abstract T combine(T left, T right);

  /** The result of the blocks before on the same thread, with that of another behind them. */
  @Nullable T continueBlock(@Nullable T before, long from, long to) throws X {
    return merge(before, runBlock(from, to));
  }

  /** Ceiling for a block. */
  int maxBlock() {
    return Tuning.MAX_LOOP_BLOCK;
  }

  /** Whether nothing from this index on is of interest: its piece ends here. */
  boolean isPast(long index) {
    return false;
  }

  /** No block is started after this. */
  final void stop() {
    stopped = true;
  }

  /**
   * Runs the loop from the calling thread, of whatever kind.
   *
   * @return the result; null when nothing was run
   */
  final @Nullable T start(long from, long to) throws X {
    WorkerThread worker = home.currentWorker();
    // Whoever can stop the loop is asked soon, also where elements have got dear since the last
    // one.
    long first =
        stopWhen == null ? cost.trusted() : Math.min(cost.trusted(), Tuning.FIRST_WATCHED_BLOCK);
    if (worker == null && (home.strict() || mustMove(to - from))) {
      return moveToPool(from, to, first);
    }
    return run(worker, from, to, first, true);
  }

  private boolean mustMove(long count) {
    return cost.isBound() || count * cost.nanosPerElement() > Tuning.LOOP_CALL_NANOS;
  }

  @SuppressWarnings("unchecked") // a piece yields a T or NOTHING
  private @Nullable T moveToPool(long from, long to, long block) throws X {
    if (isStopped()) {
      return null;
    }
    Object result =
        home.pool()
            .get()
            .<Object, X>call(new Piece(null, from, to, block), this::callerInterrupted);
    return result == NOTHING ? null : (T) result;
  }

  private void callerInterrupted() {
    interrupted = true;
  }

  /**
   * Runs a piece.
   *
   * @param worker the current thread; null: it is none
   * @param offer this thread has just come to the loop: others may sleep, and ask nobody
   */
  private @Nullable T run(
      @Nullable WorkerThread worker, long from, long to, long startBlock, boolean offer) throws X {
    int asked = worker == null ? 0 : worker.timesAsked();
    try {
      T result = runBlocks(worker, from, to, startBlock, offer);
      if (worker != null && worker.timesAsked() != asked) {
        cost.bind();
      }
      return result;
    } catch (Throwable t) {
      stop();
      throw t;
    }
  }

  private @Nullable T runBlocks(
      @Nullable WorkerThread worker, long from, long to, long startBlock, boolean offer) throws X {
    T result = null;
    long block = Math.max(grain, startBlock);
    long next = from;
    double nanos = cost.nanosPerElement();
    long start = System.nanoTime();
    long before = start;
    long longest = 0;
    boolean mayOffer = offer;
    while (next < to && !isStopped() && !isPast(next)) {
      long left = to - next;
      if (left / 2 >= grain && left * nanos >= Tuning.LOOP_CUT_NANOS) {
        if (worker == null) {
          if (before - start >= Tuning.LOOP_CALL_NANOS) {
            cost.learn(nanos, next - from, before - start - longest);
            return merge(result, moveToPool(next, to, block));
          }
        } else if (worker.isAskedForWork() || (mayOffer && worker.offersTooFew())) {
          cost.learn(nanos, next - from, before - start - longest);
          return merge(result, cut(worker, next, next + left / 2, to, block, mayOffer));
        }
      }
      long end = left <= block ? to : next + block;
      result = continueBlock(result, next, end);
      long now = System.nanoTime();
      if (stopped) {
        // Nobody knows how many were handled: one at least, and it took no longer than this.
        cost.learn(Math.min(nanos, Cost.refine(nanos, 1, now - before)), next - from + 1, 0);
        return result;
      }
      nanos = Cost.refine(nanos, end - next, now - before);
      block = resize(block, nanos);
      longest = Math.max(longest, now - before);
      before = now;
      next = end;
      mayOffer = false;
    }
    cost.learn(nanos, next - from, before - start - longest);
    return result;
  }

  /** Up to twice as many elements as before, by what they cost now. */
  private long resize(long block, double nanos) {
    long wanted = (long) (Tuning.LOOP_BLOCK_NANOS / nanos);
    return Math.max(grain, Math.min(wanted, Math.min(2 * block, maxBlock())));
  }

  /**
   * Between blocks, and now and then within them.
   *
   * @return whether another piece has failed or found something
   * @throws CancellationException when the caller or the options say so
   */
  final boolean isStopped() {
    if (stopped) {
      return true;
    }
    check(interrupted || (caller == Thread.currentThread() && caller.isInterrupted()), stopWhen);
    return false;
  }

  /** What every loop looks at before it begins. */
  static void check(boolean interrupted, @Nullable BooleanSupplier stopWhen) {
    if (interrupted) {
      throw new CancellationException("the caller of the loop was interrupted");
    }
    if (stopWhen != null && stopWhen.getAsBoolean()) {
      throw new CancellationException("the loop was cancelled");
    }
  }

  /**
   * A fork of its own rather than {@link Fork#join}: what passes through that one decides how well
   * the joins of others are compiled.
   */
  @SuppressWarnings("unchecked") // a piece yields a T or NOTHING
  private @Nullable T cut(
      WorkerThread worker, long from, long middle, long to, long block, boolean offer) throws X {
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

  final @Nullable T merge(@Nullable T left, @Nullable T right) {
    if (left == null) {
      return right;
    }
    return right == null ? left : combine(left, right);
  }

  /** A part of the range that another worker may run. */
  private final class Piece implements Work<Object, X> {
    private final @Nullable WorkerThread owner;
    private final long from;
    private final long to;
    private final long block;

    Piece(@Nullable WorkerThread owner, long from, long to, long block) {
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
