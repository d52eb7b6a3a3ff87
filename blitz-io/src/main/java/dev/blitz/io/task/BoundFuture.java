package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.current.Bindings;
import org.jspecify.annotations.Nullable;

/** {@link TaskLocal#bind}: the binding is in force during each poll and the drop. */
final class BoundFuture<R> implements Future<R> {
  private final TaskLocal<?> local;
  private final Object value;
  private final Future<R> inner;

  /** Made once, and again only if the bindings around this future have changed. */
  private @Nullable Bindings bindings;

  BoundFuture(TaskLocal<?> local, Object value, Future<R> inner) {
    this.local = local;
    this.value = value;
    this.inner = inner;
  }

  private void enter(@Nullable Bindings outer) {
    if (bindings == null || bindings.outer() != outer) {
      bindings = new Bindings(local, value, outer);
    }
    Bindings.swap(bindings);
  }

  @Override
  public @Nullable R poll(Context cx) throws Exception {
    Bindings outer = Bindings.current();
    enter(outer);
    try {
      return inner.poll(cx);
    } finally {
      Bindings.swap(outer);
    }
  }

  @Override
  public void drop() {
    Bindings outer = Bindings.current();
    enter(outer);
    try {
      inner.drop();
    } finally {
      Bindings.swap(outer);
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
