package dev.blitz.io.process;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.SafeCalls;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Waits for something of the last child, and for the end of all; a drop or a failure kills them.
 */
final class RunFuture<T> implements IoFuture<T> {
  private final List<Child> children;
  private final IoFuture<T> inner;
  private int next;
  private @Nullable IoFuture<ExitStatus> end;
  private @Nullable T value;

  RunFuture(List<Child> children, Function<Child, IoFuture<T>> use) {
    this.children = children;
    try {
      this.inner = use.apply(children.getLast());
    } catch (Throwable t) {
      children.forEach(Child::close);
      throw t;
    }
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    try {
      if (value == null) {
        value = inner.poll(cx);
      }
      return value == null || !othersHaveEnded(cx) ? null : ended(value);
    } catch (Throwable t) {
      children.forEach(Child::close);
      throw t;
    }
  }

  private boolean othersHaveEnded(Context cx) throws IOException {
    for (; next < children.size() - 1; next++) {
      if (end == null) {
        end = children.get(next).exited();
      }
      if (end.poll(cx) == null) {
        return false;
      }
      end = null;
    }
    return true;
  }

  private T ended(T result) {
    children.forEach(Child::close);
    return result;
  }

  @Override
  public void drop() {
    try {
      if (value == null) {
        SafeCalls.drop(inner);
      }
      if (end != null) {
        SafeCalls.drop(end);
      }
    } finally {
      children.forEach(Child::close);
    }
  }

  @Override
  public String toString() {
    return "the end of " + children;
  }
}
