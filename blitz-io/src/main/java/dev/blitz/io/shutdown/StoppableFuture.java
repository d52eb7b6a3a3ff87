package dev.blitz.io.shutdown;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.task.CancelToken;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link Shutdown#guard}: without a value once the token is cancelled, but never without a look.
 * What is there at that moment, or when it begins only then, is taken: a connection or a request
 * that has come in must not be lost because its server was busy.
 */
final class StoppableFuture<T> implements Future<StoppableFuture.End<T>> {
  /** {@code value}: null once stopped. */
  record End<T>(@Nullable T value) {}

  private final CancelToken stop;
  private final UncheckedFuture<Done> stopped;
  private final Future<T> inner;

  StoppableFuture(CancelToken stop, Future<T> inner) {
    this.stop = stop;
    this.stopped = stop.cancelled();
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable End<T> poll(Context cx) throws Exception {
    if (stop.isCancelled() && !cx.mayProceed()) {
      return null; // that would be no look
    }
    T value;
    try {
      value = inner.poll(cx);
    } catch (Throwable t) {
      stopped.drop();
      throw t;
    }
    if (value != null) {
      stopped.drop();
      return new End<>(value);
    }
    if (!stop.isCancelled() && stopped.poll(cx) == null) {
      return null;
    }
    drop();
    return new End<>(null);
  }

  @Override
  public void drop() {
    stopped.drop();
    SafeCalls.drop(inner);
  }

  @Override
  public String toString() {
    return inner + " (or shutdown)";
  }
}
