package dev.blitz.parallel.internal;

import dev.blitz.parallel.LongRangeFunction;
import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.plan.Cost;
import java.util.function.BinaryOperator;

/** A loop whose body takes a whole block. */
final class ReduceLoop<T, X extends Exception> extends RangeLoop<T, X> {
  private final LongRangeFunction<? extends T, X> body;
  private final BinaryOperator<T> combiner;

  ReduceLoop(
      LoopHome home,
      LoopOptions options,
      Cost cost,
      LongRangeFunction<? extends T, X> body,
      BinaryOperator<T> combiner) {
    super(home, options, cost);
    this.body = body;
    this.combiner = combiner;
  }

  @Override
  T runBlock(long from, long to) throws X {
    return body.run(from, to);
  }

  @Override
  T combine(T left, T right) {
    return combiner.apply(left, right);
  }
}
