package dev.blitz.io.future;

import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** {@link Future#recover}. */
final class RecoverFuture<T> implements Future<T> {
  private final Future<T> source;
  private final ThrowingFunction<? super Exception, ? extends T> handler;

  RecoverFuture(Future<T> source, ThrowingFunction<? super Exception, ? extends T> handler) {
    this.source = source;
    this.handler = Objects.requireNonNull(handler, "handler");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    try {
      return source.poll(cx);
    } catch (CancellationException e) {
      throw e;
    } catch (Exception e) {
      return Values.nonNull(handler.apply(e), "recover function", handler);
    }
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
