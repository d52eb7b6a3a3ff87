package dev.blitz.io.task;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.JoinCell;

/**
 * A task of a scope, in the scope's list from its spawn to its end. It is woken by the task's
 * completion, when the outcome can be seen already: so once a scope has no child left, all handles
 * are done.
 */
final class ScopeChild extends Link implements Waker {
  private final TaskScope scope;
  private final JoinCell<?> task;

  ScopeChild(TaskScope scope, JoinCell<?> task) {
    this.scope = scope;
    this.task = task;
  }

  JoinCell<?> task() {
    return task;
  }

  @Override
  public void wake() {
    scope.childEnded(this);
  }

  @Override
  public boolean isObsolete() {
    return task.isDone();
  }

  @Override
  public String toString() {
    return "scope of " + task.name();
  }
}
