package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.policy.SpawnHook;
import org.jspecify.annotations.Nullable;

/** Runs the future of a task inside what the spawn hook captured. */
final class HookedFuture<T> implements Future<T> {
  private final SpawnHook hook;
  private final Object captured;
  private final Future<? extends T> inner;

  HookedFuture(SpawnHook hook, Object captured, Future<? extends T> inner) {
    this.hook = hook;
    this.captured = captured;
    this.inner = inner;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    SpawnHook.Scope scope;
    try {
      scope = hook.restore(captured);
    } catch (Throwable t) {
      SafeCalls.drop(inner); // this throw ends the task, so nobody else will
      throw t;
    }
    try {
      return inner.poll(cx);
    } finally {
      close(scope);
    }
  }

  @Override
  public void drop() {
    SpawnHook.Scope scope = null;
    try {
      scope = hook.restore(captured);
    } catch (Throwable t) {
      Uncaught.report("spawn hook before a drop", t);
    }
    try {
      inner.drop();
    } finally {
      if (scope != null) {
        close(scope);
      }
    }
  }

  /** What the hook throws must not take the place of what the task did. */
  static void close(SpawnHook.Scope scope) {
    try {
      scope.close();
    } catch (Throwable t) {
      Uncaught.report("spawn hook", t);
    }
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
