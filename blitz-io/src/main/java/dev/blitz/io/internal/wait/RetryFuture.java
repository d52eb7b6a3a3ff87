package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** {@code Futures.retry}: either an attempt is under way, or a pause. */
public final class RetryFuture<T> implements Future<T> {
  private final ThrowingSupplier<? extends Future<? extends T>> attempts;
  private final Backoff backoff;
  private Backoff.@Nullable Course course;
  private @Nullable Future<? extends T> attempt;
  private @Nullable SleepFuture pause;
  private boolean ended;

  /** {@code attempts} makes a future for each try. */
  public RetryFuture(Backoff backoff, ThrowingSupplier<? extends Future<? extends T>> attempts) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    this.attempts = Objects.requireNonNull(attempts, "attempts");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    ended = true; // unless it turns out to be pending
    for (; ; ) {
      if (pause != null) {
        if (pause.poll(cx) == null) {
          ended = false;
          return null;
        }
        pause = null;
      }
      try {
        if (attempt == null) {
          attempt = Objects.requireNonNull(attempts.get(), "a retry was given no future");
        }
        T value = attempt.poll(cx);
        ended = value != null;
        return value;
      } catch (CancellationException | InterruptedException e) {
        attempt = null;
        throw e;
      } catch (Exception e) {
        attempt = null;
        pause = pauseAfter(e, cx);
      }
    }
  }

  private SleepFuture pauseAfter(Exception failure, Context cx) throws Exception {
    if (course == null) {
      course = backoff.begin(Current.required("a retry").nextSeed());
    }
    Optional<Duration> next = course.next(TimerFuture.timersOf(cx).clock().nowNanos());
    if (next.isEmpty()) {
      throw failure;
    }
    // A failure that comes at once, again and again, must not keep its worker.
    boolean atOnce = next.get().isZero() && !cx.proceed();
    return new SleepFuture(atOnce ? Duration.ofNanos(1) : next.get());
  }

  @Override
  public void drop() {
    if (pause != null) {
      pause.drop();
    } else if (attempt != null) {
      attempt.drop();
    }
  }

  @Override
  public String toString() {
    Object now = pause != null ? pause : attempt;
    return now == null ? "the first try" : now + (course == null ? "" : ", after " + course);
  }
}
