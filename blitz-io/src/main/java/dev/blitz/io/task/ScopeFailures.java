package dev.blitz.io.task;

import dev.blitz.io.future.Outcome;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.task.JoinCell;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows the failures of a scope's children to somebody, the first one with the others suppressed.
 */
final class ScopeFailures {
  private ScopeFailures() {}

  /** Throws them, if there are any; they count as seen. */
  static void throwAll(List<JoinCell<?>> failed) {
    TaskFailedException first = null;
    for (JoinCell<?> task : failed) {
      first = with(first, seen(task));
    }
    if (first != null) {
      throw first;
    }
  }

  /** Them in one exception, or null if there are none; they do not count as seen. */
  static @Nullable TaskFailedException all(List<JoinCell<?>> failed) {
    TaskFailedException first = null;
    for (JoinCell<?> task : failed) {
      Throwable cause = task.peekFailure();
      if (cause != null) {
        first = with(first, task.failedBy(cause));
      }
    }
    return first;
  }

  /** Throws those that nobody has seen. */
  static void throwUnseen(List<JoinCell<?>> failed) {
    TaskFailedException first = null;
    for (JoinCell<?> task : failed) {
      Throwable cause = task.takeUnseenFailure();
      if (cause != null) {
        first = with(first, task.failedBy(cause));
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static TaskFailedException with(
      @Nullable TaskFailedException first, TaskFailedException next) {
    if (first == null) {
      return next;
    }
    Telling.suppress(first, next);
    return first;
  }

  /** The exception for one who waits; the failure counts as seen. */
  static TaskFailedException seen(JoinCell<?> task) {
    return task.failedBy(((Outcome.Failure<?>) task.outcome()).cause());
  }

  /** Adds them to the failure of the scope's body. */
  static void suppressInto(Throwable failure, List<JoinCell<?>> failed) {
    for (JoinCell<?> task : failed) {
      Throwable cause = task.peekFailure();
      if (cause == failure) {
        task.outcome(); // counts as seen
      } else if (cause != null && !Telling.suppress(failure, task.failedBy(cause))) {
        return; // the rest reaches the uncaught handler
      } else {
        task.outcome();
      }
    }
  }
}
