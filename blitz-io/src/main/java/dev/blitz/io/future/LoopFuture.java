package dev.blitz.io.future;

import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Futures#loop}: one step after the other until a step says stop. */
final class LoopFuture implements Future<Done> {
  private final ThrowingSupplier<? extends Future<Futures.Step>> body;
  private @Nullable Future<Futures.Step> step;
  private boolean ended;

  LoopFuture(ThrowingSupplier<? extends Future<Futures.Step>> body) {
    this.body = Objects.requireNonNull(body, "body");
  }

  @Override
  public @Nullable Done poll(Context cx) throws Exception {
    if (ended) {
      throw new IllegalStateException("this loop was already awaited or dropped; make a new one");
    }
    ended = true; // unless it turns out to be pending
    while (true) {
      if (step == null) {
        step = Values.nonNull(body.get(), "loop body", body, "Futures.more() or Futures.stop()");
      }
      Futures.Step result = step.poll(cx);
      if (result == null) {
        ended = false;
        return null;
      }
      step = null;
      if (result == Futures.Step.STOP) {
        return Done.DONE;
      }
      // A body whose steps are always ready must not keep its worker for ever.
      if (!cx.proceed()) {
        ended = false;
        return null;
      }
    }
  }

  @Override
  public void drop() {
    if (step != null) {
      step.drop();
    }
  }

  @Override
  public String toString() {
    return step == null ? "the next step of a loop" : step.toString();
  }
}
