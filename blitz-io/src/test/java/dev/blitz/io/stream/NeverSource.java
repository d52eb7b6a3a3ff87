package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.testkit.Await;
import org.jspecify.annotations.Nullable;

/** Has no items and does not end. */
final class NeverSource implements Source<Integer> {
  private volatile boolean waits;
  private volatile int closes;

  @Override
  public @Nullable Integer pollNext(Context cx) {
    waits = true;
    return null;
  }

  @Override
  public boolean hasEnded() {
    return false;
  }

  @Override
  public void forgetNext() {
    waits = false;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // whoever closes does so once
  public void close() {
    closes++;
  }

  void awaitWaiting() {
    Await.until(() -> waits, "a poll");
  }

  int closes() {
    return closes;
  }
}
