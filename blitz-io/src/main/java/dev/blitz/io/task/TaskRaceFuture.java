package dev.blitz.io.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Telling;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Task#race}: whatever ends it cancels the tasks that have not ended. */
final class TaskRaceFuture<T> implements UncheckedFuture<T> {
  private final List<JoinHandle<? extends T>> tasks;
  private final Future<T> first;

  TaskRaceFuture(List<? extends JoinHandle<? extends T>> tasks) {
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("no tasks to race: this would never end");
    }
    this.tasks = List.copyOf(tasks);
    this.first = Futures.race(this.tasks);
  }

  @Override
  public @Nullable T poll(Context cx) {
    T value;
    try {
      value = first.poll(cx);
    } catch (Exception e) {
      cancelAll();
      throw Telling.unchecked(e);
    }
    if (value != null) {
      cancelAll();
    }
    return value;
  }

  private void cancelAll() {
    tasks.forEach(JoinHandle::cancel); // one that has ended refuses
  }

  @Override
  public void drop() {
    first.drop();
    cancelAll();
  }

  @Override
  public String toString() {
    return "the first of " + tasks.size() + " tasks to end";
  }
}
