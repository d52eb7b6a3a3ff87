package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link CancelToken#guard} and {@link TaskScope#guard}. Waits for the token only once the inner
 * future is pending: one that is ready at once costs two looks at a flag.
 */
final class GuardedFuture<T> implements Future<T> {
  private final CancelToken token;
  private final CancelWait cancelled;
  private final Future<T> inner;

  /** Throws why the token was cancelled, if that is known; otherwise returns. */
  private final Runnable why;

  GuardedFuture(CancelToken token, Future<T> inner) {
    this(token, inner, () -> {});
  }

  GuardedFuture(CancelToken token, Future<T> inner, Runnable why) {
    this.why = why;
    this.token = token;
    this.cancelled = new CancelWait(token);
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if (!token.isCancelled()) {
      if (!cancelled.hasBegun()) {
        StackRoom.forCalls(); // for the wait too: what has begun must not be left behind
      }
      T value;
      try {
        value = inner.poll(cx);
      } catch (Throwable t) {
        cancelled.drop();
        throw t;
      }
      if (value != null) {
        cancelled.drop();
        return value;
      }
      if (cancelled.poll(cx) == null) {
        return null;
      }
    }
    drop();
    why.run();
    throw token.exception("the token that guards it was cancelled: " + Telling.of(inner));
  }

  @Override
  public void drop() {
    cancelled.drop();
    SafeCalls.drop(inner);
  }

  @Override
  public String toString() {
    return inner + " (or cancellation)";
  }
}
