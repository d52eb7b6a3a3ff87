package dev.blitz.io.internal.wait;

import static java.util.Objects.requireNonNull;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Telling;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link Future#timeout} and {@link Future#timeoutAt}: one object for the limit and its timer. */
public class TimeoutFuture<T> extends TimerFuture implements Future<T> {
  private final Future<T> inner;
  private final Object limit;

  /** {@code future} for at most {@code limit} from its first poll. */
  public TimeoutFuture(Duration limit, Future<T> future) {
    this(future, requireNonNull(limit, "limit"));
  }

  /** {@code future} until {@code deadline}. */
  public TimeoutFuture(Deadline deadline, Future<T> future) {
    this(future, requireNonNull(deadline, "deadline"));
  }

  private TimeoutFuture(Future<T> inner, Object limit) {
    super(null);
    this.limit = limit;
    this.inner = requireNonNull(inner, "future");
  }

  private String describeLimit() {
    return limit instanceof Deadline ? "the deadline" : "the limit of " + limit;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if ((!isArmed() || hasFired()) && !cx.mayProceed()) {
      return null; // without budget it could not tell that a result is there
    }
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
      return isArmed() ? pollTimer(cx) : armUnlessOver(limit, cx);
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

  /** Of a future that throws nothing checked; not a second object around the first. */
  public static final class OfUnchecked<T> extends TimeoutFuture<T> implements UncheckedFuture<T> {
    public OfUnchecked(Duration limit, UncheckedFuture<T> future) {
      super(limit, future);
    }

    public OfUnchecked(Deadline deadline, UncheckedFuture<T> future) {
      super(deadline, future);
    }

    @Override
    public @Nullable T poll(Context cx) {
      try {
        return super.poll(cx);
      } catch (Exception e) {
        throw Telling.unchecked(e);
      }
    }
  }

  /** Of an operation of I/O. */
  public static final class OfIo<T> extends TimeoutFuture<T> implements IoFuture<T> {
    public OfIo(Duration limit, IoFuture<T> future) {
      super(limit, future);
    }

    public OfIo(Deadline deadline, IoFuture<T> future) {
      super(deadline, future);
    }

    @Override
    public @Nullable T poll(Context cx) throws IOException {
      try {
        return super.poll(cx);
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw Telling.unchecked(e);
      }
    }
  }
}
