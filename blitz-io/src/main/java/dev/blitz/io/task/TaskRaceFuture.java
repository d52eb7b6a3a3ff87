package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Task#race}: whatever ends it cancels the tasks that have not ended. */
final class TaskRaceFuture<T> implements UncheckedFuture<T> {
  private final List<JoinHandle<? extends T>> tasks;

  TaskRaceFuture(List<? extends JoinHandle<? extends T>> tasks) {
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("no tasks to race: this would never end");
    }
    this.tasks = List.copyOf(tasks);
  }

  @Override
  public @Nullable T poll(Context cx) {
    for (JoinHandle<? extends T> task : tasks) {
      T value;
      try {
        value = task.poll(cx);
      } catch (RuntimeException e) {
        drop();
        throw e;
      }
      if (value != null) {
        drop();
        return value;
      }
    }
    return null;
  }

  @Override
  public void drop() {
    tasks.forEach(JoinHandle::cancel); // one that has ended refuses
  }

  @Override
  public String toString() {
    return "the first of " + tasks.size() + " tasks to end";
  }
}
