package dev.blitz.io.shutdown;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.JoinHandle;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@link Shutdown#guard}: without a value once the token is cancelled, but never without a look.
 * What is there at that moment, or when it begins only then, is taken: a connection or a request
 * that has come in must not be lost because its server was busy.
 */
/* Implementation notes
 *
 * Where completions are told, as with io_uring, the first poll of a read only asks for what is there; the answer comes with a round
 * of a worker, which need not be the one that polls. So one that begins after the stop waits a moment before it ends.
 */
final class StoppableFuture<T> implements Future<StoppableFuture.End<T>> {
  /** {@code value}: null once stopped. */
  record End<T>(@Nullable T value) {}

  private final CancelToken stop;
  private final UncheckedFuture<Done> stopped;
  private final Future<T> inner;

  private final Supplier<JoinHandle<Done>> moment;
  private @Nullable JoinHandle<Done> look;
  private boolean waited;

  /** {@code moment}: begins a short wait; refused if the runtime is closed. */
  StoppableFuture(CancelToken stop, Future<T> inner, Supplier<JoinHandle<Done>> moment) {
    this.stop = stop;
    this.moment = moment;
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
      forget();
      throw t;
    }
    if (value != null) {
      forget();
      return new End<>(value);
    }
    if (!stop.isCancelled() && stopped.poll(cx) == null) {
      waited = true; // for as long as the linger took
      return null;
    }
    if (!waited && !hasLooked(cx)) {
      return null;
    }
    drop();
    return new End<>(null);
  }

  private boolean hasLooked(Context cx) {
    try {
      JoinHandle<Done> now = look;
      if (now == null) {
        now = moment.get();
        look = now;
      }
      return now.poll(cx) != null;
    } catch (RejectedExecutionException | CancelledException closed) {
      return true;
    }
  }

  private void forget() {
    stopped.drop();
    JoinHandle<Done> now = look;
    if (now != null) {
      now.cancel();
    }
  }

  @Override
  public void drop() {
    forget();
    SafeCalls.drop(inner);
  }

  @Override
  public String toString() {
    return inner + " (or shutdown)";
  }
}
