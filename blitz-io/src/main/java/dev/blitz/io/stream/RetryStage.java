package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.Values;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** {@link Source#retry}: either an attempt is under way, or a pause. */
final class RetryStage<T> extends Stage<T> {
  private final Backoff backoff;
  private final ThrowingSupplier<? extends Source<? extends T>> attempts;
  private final StageTimer pause = new StageTimer();
  private Backoff.@Nullable Course course;

  /** Not taken apart: whoever made it may close it. */
  private @Nullable Stage<? extends T> attempt;

  RetryStage(Backoff backoff, ThrowingSupplier<? extends Source<? extends T>> attempts) {
    this.backoff = Objects.requireNonNull(backoff, "backoff");
    this.attempts = Objects.requireNonNull(attempts, "attempts");
  }

  @Override
  @Nullable T pull(Context cx) throws Exception {
    for (; ; ) {
      if (pause.isSet()) {
        if (!pause.poll(cx)) {
          return null;
        }
        pause.unset();
      }
      try {
        Stage<? extends T> now = attempt;
        if (now == null) {
          now =
              new ForeignStage<>(
                  Values.nonNull(attempts.get(), "retry function", attempts, "a source"));
          attempt = now;
        }
        T item = now.pull(cx);
        ended = item == null && now.ended;
        return item;
      } catch (CancellationException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        endAttempt();
        pauseAfter(e, cx);
        if (!cx.proceed()) { // a failure that comes at once, again and again, keeps no worker
          return null;
        }
      }
    }
  }

  private void endAttempt() {
    Stage<?> failed = attempt;
    attempt = null;
    if (failed != null) {
      dropAll(failed);
    }
  }

  private void pauseAfter(Exception failure, Context cx) throws Exception {
    if (course == null) {
      course = backoff.begin(Current.required("a retry").nextSeed());
    }
    Optional<Duration> next = course.next(StageTimer.nowNanos(cx));
    if (next.isEmpty()) {
      throw failure;
    }
    pause.set(next.get(), cx);
  }

  @Override
  int inputs() {
    return 1;
  }

  @Override
  @Nullable Stage<?> input(int i) {
    return attempt;
  }

  @Override
  void forget() {
    pause.forget();
  }

  @Override
  void release() {
    pause.unset();
  }

  @Override
  public String toString() {
    Object now = pause.isSet() || attempt == null ? pause : attempt;
    return now + (course == null ? "" : ", after " + course);
  }
}
