package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.ForgottenFutures;
import org.jspecify.annotations.Nullable;

/** A future of which a runtime in development wants to know whether it is ever polled. */
public final class Watched<T> implements Future<T> {
  private final Future<T> inner;
  private ForgottenFutures.@Nullable Note note;

  private Watched(Future<T> inner) {
    this.inner = inner;
  }

  /** {@code future}, watched if this runtime is in development. */
  public static <T> UncheckedFuture<T> unchecked(UncheckedFuture<T> future) {
    ForgottenFutures forgotten = ForgottenFutures.here();
    return forgotten == null ? future : Futures.unchecked(watch(forgotten, future));
  }

  /** As {@link #unchecked}. */
  public static <T> IoFuture<T> io(IoFuture<T> future) {
    ForgottenFutures forgotten = ForgottenFutures.here();
    return forgotten == null ? future : Futures.io(watch(forgotten, future));
  }

  private static <T> Watched<T> watch(ForgottenFutures forgotten, Future<T> future) {
    var watched = new Watched<>(future);
    watched.note = forgotten.watch(watched, Telling.of(future));
    return watched;
  }

  private void seen() {
    ForgottenFutures.Note made = note;
    if (made != null) {
      note = null;
      made.seen();
    }
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    seen();
    return inner.poll(cx);
  }

  @Override
  public void drop() {
    seen();
    inner.drop();
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
