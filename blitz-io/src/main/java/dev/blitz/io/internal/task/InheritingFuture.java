package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.current.Bindings;
import org.jspecify.annotations.Nullable;

/** Runs the future of a task with the task-locals that were in force where it was spawned. */
final class InheritingFuture<T> implements Future<T> {
  private final Bindings bindings;
  private final Future<? extends T> inner;

  InheritingFuture(Bindings bindings, Future<? extends T> inner) {
    this.bindings = bindings;
    this.inner = inner;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    Bindings before = Bindings.swap(bindings);
    try {
      return inner.poll(cx);
    } finally {
      Bindings.swap(before);
    }
  }

  @Override
  public void drop() {
    Bindings before = Bindings.swap(bindings);
    try {
      inner.drop();
    } finally {
      Bindings.swap(before);
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
