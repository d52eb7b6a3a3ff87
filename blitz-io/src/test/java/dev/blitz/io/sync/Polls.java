package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Polls by hand and counts the wakes. */
final class Polls implements Waker {
  private final AtomicInteger wakes = new AtomicInteger();

  @Override
  public void wake() {
    wakes.incrementAndGet();
  }

  int wakes() {
    return wakes.get();
  }

  Context context() {
    return Context.of(this);
  }

  <T> @Nullable T poll(UncheckedFuture<T> future) {
    return future.poll(context());
  }

  /** The value of a future that must be ready. */
  static <T> T now(UncheckedFuture<T> future) {
    T value = future.poll(Context.of(() -> {}));
    if (value == null) {
      throw new AssertionError("not ready: " + future);
    }
    return value;
  }
}
