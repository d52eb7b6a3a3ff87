package dev.blitz.parallel.internal;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.plan.Cost;
import org.jspecify.annotations.Nullable;

/**
 * A loop of the data API over the indices 0 to a count, whose cost is known from elsewhere. It can
 * be told that nothing from some index on is of interest any more.
 *
 * @param <T> the result of a block
 */
public abstract class BlockLoop<T> extends RangeLoop<T, RuntimeException> {
  private final LoopHome home;
  private final LoopOptions options;
  private final Cost cost;

  /**
   * A loop.
   *
   * @param home where it may run
   * @param options how to cut and stop it
   * @param cost what elements have cost before
   */
  protected BlockLoop(LoopHome home, LoopOptions options, Cost cost) {
    super(home, options, cost);
    this.home = home;
    this.options = options;
    this.cost = cost;
  }

  @Override
  final int maxBlock() {
    return Tuning.MAX_PIPELINE_BLOCK;
  }

  /**
   * Runs it. A brief one runs right here, as one block.
   *
   * @param count of indices
   * @return the result; null for no index
   */
  public final @Nullable T run(long count) {
    if (count <= 0) {
      return null;
    }
    if (!isBriefHere(home, options, cost, count)) {
      return start(0, count);
    }
    check(options);
    return Cost.isSampled(count) ? runMeasured(count) : runBlock(0, count);
  }

  /**
   * Runs a brief one right here, as one block, and learns from it.
   *
   * @param count of indices, 1 or more
   */
  public final @Nullable T runMeasured(long count) {
    int asked = WorkerThread.timesAskedHere();
    long start = System.nanoTime();
    T result = runBlock(0, count);
    cost.endSample(count, start);
    if (WorkerThread.timesAskedHere() != asked) {
      cost.bind();
    }
    return result;
  }

  /**
   * Whether a loop just runs on the calling thread, as a whole. What can be stopped does not: it is
   * watched from its first elements on, which may have got dear.
   *
   * @param home where it may run
   * @param options may have something to stop it
   * @param cost what elements have cost before
   * @param count of indices
   * @return true after {@link #check(LoopOptions)}; now and then it is to be measured
   */
  public static boolean isBriefHere(LoopHome home, LoopOptions options, Cost cost, long count) {
    return cost.isBrief(count) && options.stopWhen() == null && home.isHere();
  }

  /**
   * What a loop looks at before it begins.
   *
   * @param options may say stop
   */
  public static void check(LoopOptions options) {
    check(Thread.currentThread().isInterrupted(), options.stopWhen());
  }

  /** What a loop looks at before it begins, for one that needs no object. */
  public static void check() {
    check(Thread.currentThread().isInterrupted(), null);
  }

  /**
   * Handles neighbouring indices.
   *
   * @param from the first
   * @param to the end
   */
  @Override
  protected abstract @Nullable T runBlock(long from, long to);

  @Override
  protected abstract T combine(T left, T right);

  /**
   * Handles neighbouring indices behind others that this thread has handled.
   *
   * @param before what those yielded; null: nothing
   * @param from the first
   * @param to the end
   * @return the result of both
   */
  @Override
  protected @Nullable T continueBlock(@Nullable T before, long from, long to) {
    return merge(before, runBlock(from, to));
  }

  /**
   * Asked between blocks and by those that are long.
   *
   * @param index the next index
   * @return whether nothing from there on is of interest
   */
  @Override
  protected boolean isPast(long index) {
    return false;
  }

  /**
   * For use within a block.
   *
   * @return whether to end it
   */
  protected final boolean mustStop() {
    return isStopped();
  }
}
