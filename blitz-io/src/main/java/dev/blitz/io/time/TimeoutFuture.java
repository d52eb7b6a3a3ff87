package dev.blitz.io.time;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.base.Telling;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Time#timeout} and {@link Time#timeoutAt}: one object for the limit and its timer. */
final class TimeoutFuture<T> extends TimerFuture implements Future<T> {
  private final Future<T> inner;
  private final Object when;

  TimeoutFuture(Object when, Future<T> inner) {
    super(null);
    this.when = when;
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    T value;
    try {
      value = inner.poll(cx); // first: a result that is there wins over a limit that has passed
    } catch (Throwable t) {
      discard();
      throw t;
    }
    if (value != null) {
      discard();
      return value;
    }
    if (isOver(cx)) {
      discard();
      var timedOut =
          new TimedOutException(limit() + " passed while waiting for " + Telling.of(inner));
      dropInner(timedOut);
      throw timedOut;
    }
    return null;
  }

  private boolean isOver(Context cx) {
    try {
      return isArmed() ? pollTimer(cx) : armUnlessOver(when, cx);
    } catch (Throwable t) {
      discard();
      dropInner(t); // it has been polled: it may wait in a queue, and nobody else would take it out
      throw t;
    }
  }

  private void dropInner(Throwable reason) {
    try {
      inner.drop();
    } catch (Throwable t) {
      Telling.suppress(reason, t);
    }
  }

  private String limit() {
    return when instanceof Deadline ? "the deadline" : "the limit of " + when;
  }

  @Override
  public void drop() {
    discard();
    inner.drop();
  }

  @Override
  public String toString() {
    return inner + ", with a time-out " + (isArmed() ? describeTimeLeft() : "of " + when);
  }
}
