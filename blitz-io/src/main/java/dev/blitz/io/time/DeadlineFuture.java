package dev.blitz.io.time;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.TimeoutFuture;

/** {@link Time#timeoutAt}. */
final class DeadlineFuture<T> extends TimeoutFuture<T> {

  DeadlineFuture(Object deadline, Future<T> future) {
    super(deadline, future);
  }

  @Override
  protected boolean arm(Context cx) {
    RuntimeTimers here = timersOf(cx);
    return armUnlessPassed(here, ((Deadline) limit()).on(here), cx);
  }

  @Override
  protected String describeLimit() {
    return "the deadline";
  }
}
