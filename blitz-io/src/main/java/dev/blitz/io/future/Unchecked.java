package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import org.jspecify.annotations.Nullable;

/** Narrows a future whose checked exceptions can only come from a combinator's function. */
final class Unchecked<T> implements UncheckedFuture<T> {
  private final Future<T> inner;

  Unchecked(Future<T> inner) {
    this.inner = inner;
  }

  Future<T> inner() {
    return inner;
  }

  @Override
  public @Nullable T poll(Context cx) {
    try {
      return inner.poll(cx);
    } catch (Exception e) {
      throw Telling.unchecked(e);
    }
  }

  @Override
  public void drop() {
    inner.drop();
  }

  static <T> T await(Future<T> future) {
    try {
      return ThreadAwait.await(future);
    } catch (Exception e) {
      throw Telling.unchecked(e);
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
