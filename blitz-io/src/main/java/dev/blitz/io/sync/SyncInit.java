package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link OnceCell#getOrInit}. */
final class SyncInit<T> extends InitWait<T, RuntimeException> implements UncheckedFuture<T> {
  private final Supplier<? extends T> initialiser;

  SyncInit(OnceCell<T> cell, Supplier<? extends T> initialiser) {
    super(cell);
    this.initialiser = initialiser;
  }

  @Override
  public @Nullable T poll(Context cx) {
    return advance(cx);
  }

  @Override
  T initialise(Context cx) {
    return AsyncInit.nonNull(initialiser.get(), initialiser);
  }

  @Override
  void dropInitialiser() {
    // it has not begun
  }
}
