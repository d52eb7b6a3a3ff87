package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import org.jspecify.annotations.Nullable;

/** {@link JoinHandle#cancelOnDrop}. */
final class CancellingJoin<T> implements UncheckedFuture<T> {
  private final JoinHandle<T> task;

  CancellingJoin(JoinHandle<T> task) {
    this.task = task;
  }

  @Override
  public @Nullable T poll(Context cx) {
    return task.poll(cx);
  }

  @Override
  public void drop() {
    task.drop();
    task.cancel();
  }

  @Override
  public String toString() {
    return task.toString();
  }
}
