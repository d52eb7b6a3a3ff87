package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * {@link TaskScope#within}: first the body, then the children.
 *
 * <p>{@code body} is set while the body runs, {@code idle} once it has ended in some way: with
 * {@code result}, with {@code failure}, or, when the scope was cancelled, with neither.
 */
final class WithinFuture<T> implements Future<T> {
  private final ThrowingFunction<? super TaskScope, ? extends Future<? extends T>> make;
  private final ScopePolicy policy;
  private @Nullable TaskScope scope;
  private @Nullable CancelWait cancelled;
  private @Nullable Future<? extends T> body;
  private @Nullable ScopeIdle idle;
  private @Nullable T result;
  private @Nullable Throwable failure;

  WithinFuture(
      ScopePolicy policy, ThrowingFunction<? super TaskScope, ? extends Future<? extends T>> make) {
    this.make = Objects.requireNonNull(make, "body");
    this.policy = Objects.requireNonNull(policy, "policy");
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    if (scope == null) {
      scope = new TaskScope(Caller.spawner("a scope"), policy);
      cancelled = new CancelWait(scope.token());
      begin(scope);
    }
    if (body != null && !bodyEnds(scope, body, cx)) {
      return null;
    }
    if (idle == null) {
      idle = new ScopeIdle(scope.books, true);
    }
    if (idle.poll(cx) == null) {
      return null;
    }
    return outcome(scope);
  }

  private void begin(TaskScope in) {
    try {
      body = Objects.requireNonNull(make.apply(in), "the body of the scope returned no future");
    } catch (Throwable t) {
      failure = t;
      in.cancel();
    }
  }

  private boolean bodyEnds(TaskScope in, Future<? extends T> running, Context cx) {
    CancelWait wait = Objects.requireNonNull(cancelled);
    if (!in.token().isCancelled()) {
      try {
        result = running.poll(cx);
      } catch (Throwable t) {
        failure = t;
      }
      if (result == null && failure == null && wait.poll(cx) == null) {
        return false;
      }
    }
    body = null;
    wait.drop();
    if (failure != null) {
      in.cancel();
    } else if (result == null) {
      SafeCalls.drop(running);
    }
    return true;
  }

  private T outcome(TaskScope in) throws Exception {
    if (failure instanceof CancellationException) {
      in.throwFailures(); // that may be why the body has ended so
    }
    if (failure != null) {
      in.suppressInto(failure);
      switch (failure) {
        case Exception e -> throw e;
        case Error e -> throw e;
        default -> throw Telling.unchecked(failure);
      }
    }
    in.throwFailures();
    if (result == null) {
      throw in.cancelledException();
    }
    return result;
  }

  @Override
  public void drop() {
    if (scope == null) {
      return;
    }
    if (cancelled != null) {
      cancelled.drop();
    }
    if (body != null) {
      SafeCalls.drop(body);
    }
    if (idle != null) {
      idle.drop();
    }
    scope.abandon();
  }

  @Override
  public String toString() {
    Future<? extends T> running = body;
    return running != null ? running.toString() : "the children of " + scope;
  }
}
