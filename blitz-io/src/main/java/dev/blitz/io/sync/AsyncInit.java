package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.wait.SafeCalls;
import org.jspecify.annotations.Nullable;

/** {@link OnceCell#getOrInitAsync}. */
final class AsyncInit<T> extends InitWait<T, Exception> implements Future<T> {
  private final ThrowingSupplier<? extends Future<? extends T>> initialiser;

  /** The future of this one's turn. */
  private @Nullable Future<? extends T> running;

  AsyncInit(OnceCell<T> cell, ThrowingSupplier<? extends Future<? extends T>> initialiser) {
    super(cell);
    this.initialiser = initialiser;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    return advance(cx);
  }

  @Override
  @Nullable T initialise(Context cx) throws Exception {
    Future<? extends T> future = running;
    if (future == null) {
      future = nonNull(initialiser.get(), initialiser);
      running = future;
    }
    return future.poll(cx);
  }

  @Override
  void dropInitialiser() {
    Future<? extends T> future = running;
    if (future != null) {
      SafeCalls.drop(future);
    }
  }

  static <V> V nonNull(@Nullable V made, Object initialiser) {
    if (made == null) {
      throw new NullPointerException("the initialiser " + initialiser + " of a OnceCell made null");
    }
    return made;
  }
}
