package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Narrows a future of I/O whose other checked exceptions come from a combinator's function. */
final class IoNarrowed<T> implements IoFuture<T> {
  private final Future<T> inner;

  IoNarrowed(Future<T> inner) {
    this.inner = inner;
  }

  Future<T> inner() {
    return inner;
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    try {
      return inner.poll(cx);
    } catch (Exception e) {
      throw Telling.io(e);
    }
  }

  @Override
  public void drop() {
    inner.drop();
  }

  static <T> T await(Future<T> future) throws IOException {
    try {
      return ThreadAwait.await(future);
    } catch (Exception e) {
      throw Telling.io(e);
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
