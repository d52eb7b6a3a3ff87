package dev.blitz.io.future;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the end of a future, good or bad, into a value. Errors pass. */
final class OutcomeFuture<T> implements UncheckedFuture<Outcome<T>> {
  private final Future<? extends T> source;

  OutcomeFuture(Future<? extends T> source) {
    this.source = Objects.requireNonNull(source, "future");
  }

  @Override
  public @Nullable Outcome<T> poll(Context cx) {
    T value;
    try {
      value = source.poll(cx);
    } catch (CancelledException e) {
      return new Outcome.Cancelled<>(String.valueOf(e.getMessage()));
    } catch (Exception e) {
      return new Outcome.Failure<>(e);
    }
    return value == null ? null : new Outcome.Success<>(value);
  }

  @Override
  public void drop() {
    source.drop();
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
