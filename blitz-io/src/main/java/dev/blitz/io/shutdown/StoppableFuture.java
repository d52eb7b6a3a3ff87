package dev.blitz.io.shutdown;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.LastLook;
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
  private @Nullable LastLook look;

  StoppableFuture(CancelToken stop, Future<T> inner) {
    this.stop = stop;
    this.stopped = stop.cancelled();
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable End<T> poll(Context cx) throws Exception {
    for (; ; ) {
      LastLook last = stop.isCancelled() ? look() : null;
      T value;
      try {
        value = last == null ? inner.poll(cx) : last.poll(inner, cx);
      } catch (Throwable t) {
        stopped.drop();
        throw t;
      }
      if (value != null) {
        stopped.drop();
        return new End<>(value);
      }
      if (last != null) {
        if (!last.isOver()) {
          return null;
        }
        drop();
        return new End<>(null);
      }
      Done isStopped;
      try {
        isStopped = stopped.poll(cx);
      } catch (Throwable t) { // what is guarded has not ended
        drop();
        throw t;
      }
      if (isStopped == null) {
        return null;
      }
    }
  }

  private LastLook look() {
    LastLook last = look;
    if (last == null) {
      try {
        last = new LastLook();
      } catch (Throwable t) { // nor has it now
        drop();
        throw t;
      }
      look = last;
    }
    return last;
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
