package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.internal.base.Telling;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Future#timeout}: one object for the limit and its timer. */
public class TimeoutFuture<T> extends TimerFuture implements Future<T> {
  private final Future<T> inner;
  private final Object limit;

  /** {@code future} for at most {@code limit} from its first poll. */
  public TimeoutFuture(Duration limit, Future<T> future) {
    this((Object) limit, future);
  }

  /** For a limit of another kind, which {@link #arm} knows. */
  protected TimeoutFuture(Object limit, Future<T> inner) {
    super(null);
    this.limit = Objects.requireNonNull(limit, "limit");
    this.inner = Objects.requireNonNull(inner, "future");
  }

  /**
   * Arms the timer in the first poll.
   *
   * @return whether the limit has passed already
   */
  protected boolean arm(Context cx) {
    return armUnlessOver((Duration) limit, cx);
  }

  /** What the constructor was given. */
  protected final Object limit() {
    return limit;
  }

  /** As messages call the limit. */
  protected String describeLimit() {
    return "the limit of " + limit;
  }

  @Override
  public final @Nullable T poll(Context cx) throws Exception {
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
          new TimedOutException(describeLimit() + " passed while waiting for " + Telling.of(inner));
      dropInner(timedOut);
      throw timedOut;
    }
    return null;
  }

  private boolean isOver(Context cx) {
    try {
      return isArmed() ? pollTimer(cx) : arm(cx);
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

  @Override
  public final void drop() {
    discard();
    inner.drop();
  }

  @Override
  public final String toString() {
    return inner + ", with a time-out " + (isArmed() ? describeTimeLeft() : "of " + limit);
  }
}
