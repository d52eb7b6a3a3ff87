package dev.blitz.io.shutdown;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.TaskScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task that a drain waits for; woken by the task's end. It may stand for the children of a scope:
 * then it is the task that waits for them.
 */
final class TrackedTask extends PendingWork.Entry implements Waker {
  private final JoinCell<?> task;
  private final @Nullable TaskScope scope;

  private TrackedTask(PendingWork work, JoinCell<?> task, @Nullable TaskScope scope) {
    super(work);
    this.task = task;
    this.scope = scope;
  }

  /** If {@code work} has been cut or is over, the task is cancelled. */
  static void add(PendingWork work, JoinHandle<?> handle, @Nullable TaskScope scope) {
    JoinCell<?> task = JoinCell.of(handle);
    var entry = new TrackedTask(work, task, scope);
    PendingWork.Added added = work.add(entry);
    if (!task.wakeAtEnd(entry)) {
      entry.end();
    }
    if (added != PendingWork.Added.YES) {
      entry.cancel();
    }
  }

  @Override
  public void wake() {
    end();
  }

  @Override
  void cancel() {
    if (scope == null) {
      task.cancel();
    } else {
      scope.cancel(); // the task ends with the last child
    }
  }

  @Override
  JoinCell<?> task() {
    return task;
  }

  @Override
  List<String> describe(Map<Object, String> seen) {
    if (scope == null) {
      return task.isDone() ? List.of() : List.of(line(task, seen));
    }
    List<String> lines = new ArrayList<>();
    scope.children().forEach(child -> lines.add(line(JoinCell.of(child), seen)));
    return lines;
  }

  private static String line(JoinCell<?> task, Map<Object, String> seen) {
    String line = seen.get(task);
    return line == null ? task.toString() : line;
  }
}
