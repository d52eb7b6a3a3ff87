package dev.blitz.io.process;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts children, waits for something of the last one, and for the end of all; a drop or a failure
 * kills them.
 */
final class RunFuture<T> implements IoFuture<T> {
  private final StartFuture start;
  private final Function<Child, IoFuture<T>> use;

  /** None until they are started. */
  private List<Child> children = List.of();

  private @Nullable IoFuture<T> inner;
  private int next;
  private @Nullable IoFuture<ExitStatus> end;
  private @Nullable T value;

  RunFuture(List<Command> commands, Function<Child, IoFuture<T>> use) {
    this.start = new StartFuture(commands);
    this.use = use;
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    StackRoom.forOwner(); // to close them
    try {
      IoFuture<T> now = inner;
      if (now == null) {
        List<Child> started = start.poll(cx);
        if (started == null) {
          return null;
        }
        children = started;
        now = use.apply(started.getLast());
        inner = now;
      }
      if (value == null) {
        value = now.poll(cx);
      }
      return value == null || !othersHaveEnded(cx) ? null : ended(value);
    } catch (Throwable t) {
      Child.closeAll(children);
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
    Child.closeAll(children);
    return result;
  }

  @Override
  public void drop() {
    StackRoom.forOwner();
    if (children.isEmpty()) {
      start.drop();
      return;
    }
    try {
      if (inner != null && value == null) {
        SafeCalls.drop(inner);
      }
      if (end != null) {
        SafeCalls.drop(end);
      }
    } finally {
      Child.closeAll(children);
    }
  }

  @Override
  public String toString() {
    return children.isEmpty() ? start.toString() : "the end of " + children;
  }
}
