package dev.blitz.io.internal.scheduler;

import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.Schedule;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskExtras;

/** For tasks that only pass through queues: whatever they ask of their runtime is an error. */
enum NoSchedule implements Schedule {
  NO_SCHEDULE;

  /** A task that is never run, whose name is a number. */
  static TaskCell<Integer> task(long name) {
    return new TaskCell<>(NO_SCHEDULE, Futures.ready(1), new TaskExtras(Long.toString(name)));
  }

  private static AssertionError unexpected() {
    return new AssertionError("a queued task has no business with its runtime");
  }

  @Override
  public void schedule(QueueItem item) {
    throw unexpected();
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void own(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void disown(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void ended() {
    throw unexpected();
  }

  @Override
  public Home home() {
    throw unexpected();
  }
}
