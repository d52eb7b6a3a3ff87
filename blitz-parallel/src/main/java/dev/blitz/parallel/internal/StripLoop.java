package dev.blitz.parallel.internal;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.plan.Plan;
import org.jspecify.annotations.Nullable;

/**
 * A loop that calls its body index by index. It goes through a block in strips, and looks between
 * two whether it was stopped: indices that get dear after cheap ones do not delay that by a block.
 *
 * @param <L> the inner loop
 * @param <X> what the body throws
 */
abstract class StripLoop<L, X extends Exception> extends RangeLoop<Boolean, X> {
  final Plan<L> plan;

  StripLoop(LoopHome home, LoopOptions options, Plan<L> plan) {
    super(home, options, plan);
    this.plan = plan;
    copyCode(plan);
  }

  /** Lambdas through which enough has passed get a loop of their own. */
  static void copyCode(Plan<?> plan) {
    if (plan.isDue()) {
      plan.copyCode(Loops.hasStack());
    }
  }

  /** Handles some indices; true: no other need be handled. */
  abstract boolean runStrip(long from, long to) throws X;

  @Override
  final @Nullable Boolean runBlock(long from, long to) throws X {
    long next = from;
    while (next < to) {
      long end = Math.min(next + Tuning.LOOP_STRIP, to);
      if (runStrip(next, end)) {
        stop();
        return true;
      }
      next = end;
      if (next < to && isStopped()) {
        break;
      }
    }
    return false;
  }

  @Override
  final Boolean combine(Boolean left, Boolean right) {
    return left || right;
  }
}
