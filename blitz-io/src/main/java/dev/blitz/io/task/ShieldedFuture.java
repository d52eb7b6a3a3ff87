package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.task.TaskCell;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link Task#shielded}: the shield is up from the first poll to the end or the drop, in the task
 * that polled last. A future that goes on in another task takes its shield along; what the first
 * one was spared meanwhile takes effect there.
 */
final class ShieldedFuture<T> implements Future<T> {
  private final Future<T> inner;

  /** The task whose shield this future holds. */
  private @Nullable TaskCell<?> shielded;

  ShieldedFuture(Future<T> inner) {
    this.inner = Objects.requireNonNull(inner, "future");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    TaskCell<?> here = cx instanceof TaskPoll p ? (TaskCell<?>) p.task() : null;
    if (here != shielded) {
      moveTo(here);
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

  private void moveTo(@Nullable TaskCell<?> task) {
    lower();
    if (task == null) {
      return;
    }
    try {
      task.shield();
    } catch (IllegalStateException tooDeep) {
      try {
        inner.drop(); // this poll ends the shield, so nobody else will
      } catch (Throwable t) {
        Telling.suppress(tooDeep, t);
      }
      throw tooDeep;
    }
    shielded = task;
  }

  private void lower() {
    TaskCell<?> task = shielded;
    if (task != null) {
      shielded = null;
      task.unshieldFromAnywhere();
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
