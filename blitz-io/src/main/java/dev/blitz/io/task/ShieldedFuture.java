package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Task#shielded}: the shield is up from the first poll to the end or the drop. */
final class ShieldedFuture<T> implements Future<T> {
  private final Future<T> inner;

  /** The task whose shield this future holds. */
  private @Nullable TaskCell<?> shielded;

  ShieldedFuture(Future<T> inner) {
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if (shielded == null && cx instanceof TaskContext p) {
      TaskCell<?> task = p.task();
      if (task != null) {
        raise(task);
      }
    }
    T value;
    try {
      value = inner.poll(cx);
    } catch (Throwable t) {
      lower();
      throw t;
    }
    if (value != null) {
      lower();
    }
    return value;
  }

  private void raise(TaskCell<?> task) {
    try {
      task.shield();
    } catch (IllegalStateException tooDeep) {
      try {
        inner.drop(); // this poll ends the shield, so nobody else will
      } catch (Throwable t) {
        tooDeep.addSuppressed(t);
      }
      throw tooDeep;
    }
    shielded = task;
  }

  private void lower() {
    TaskCell<?> task = shielded;
    if (task != null) {
      shielded = null;
      task.unshield();
    }
  }

  @Override
  public void drop() {
    try {
      inner.drop();
    } finally {
      lower();
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
