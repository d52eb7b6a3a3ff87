package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.current.TaskPoll;
import org.jspecify.annotations.Nullable;

/** {@link Task#yieldNow}: pending once, so that others may run. */
final class YieldFuture implements UncheckedFuture<Done> {
  private boolean yielded;

  @Override
  public @Nullable Done poll(Context cx) {
    if (yielded) {
      return Done.DONE;
    }
    yielded = true;
    if (!(cx instanceof TaskPoll here && here.goOnAtOnce())) {
      cx.waker().wake();
    }
    return null;
  }

  @Override
  public String toString() {
    return "its turn after a yield";
  }
}
