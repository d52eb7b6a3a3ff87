package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/** Polls a future some times, as often as it is woken or runs, then drops it. */
public final class GiveUp<T> implements UncheckedFuture<GiveUp.Result<T>> {
  static final int NEVER = -1;

  private final UncheckedFuture<T> future;
  private int patience;

  /** The value, or null if it was dropped. */
  public record Result<T>(@Nullable T value) {}

  GiveUp(UncheckedFuture<T> future, int patience) {
    this.future = future;
    this.patience = patience;
  }

  @Override
  public @Nullable Result<T> poll(Context cx) {
    if (patience == 0) {
      future.drop();
      return new Result<>(null);
    }
    T value = future.poll(cx);
    if (value != null) {
      return new Result<>(value);
    }
    if (patience > 0) {
      patience--;
      cx.waker().wake();
    }
    return null;
  }

  @Override
  public void drop() {
    future.drop();
  }

  @Override
  public String toString() {
    return future.toString();
  }
}
