package dev.blitz.io.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A future that is polled by hand, with a count of its wakes. */
final class Waiting<T> implements Waker {
  private final UncheckedFuture<T> future;
  private final AtomicInteger wakes = new AtomicInteger();

  Waiting(UncheckedFuture<T> future) {
    this.future = future;
  }

  @Override
  public void wake() {
    wakes.incrementAndGet();
  }

  int wakes() {
    return wakes.get();
  }

  /** True if it is ready. */
  boolean poll() {
    return take() != null;
  }

  @Nullable T take() {
    return future.poll(Context.of(this));
  }

  void drop() {
    future.drop();
  }
}
