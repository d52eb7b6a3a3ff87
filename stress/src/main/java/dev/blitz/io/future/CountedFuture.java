package dev.blitz.io.future;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the polls of another future. */
record CountedFuture<T>(Future<T> inner, AtomicInteger polls) implements Future<T> {
  @Override
  public @Nullable T poll(Context cx) throws Exception {
    polls.incrementAndGet();
    return inner.poll(cx);
  }

  @Override
  public void drop() {
    inner.drop();
  }
}
