package dev.blitz.io.internal.scheduler;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskFailure;
import dev.blitz.io.internal.task.TaskHost;
import dev.blitz.io.internal.timer.RuntimeTimers;

/** For tasks that only pass through queues: whatever they ask of their runtime is an error. */
enum NoHost implements TaskHost {
  NO_HOST;

  /** A task that is never run. */
  static TaskCell<Integer> task(long id) {
    return new TaskCell<>(NO_HOST, id, Futures.ready(1), null);
  }

  private static AssertionError unexpected() {
    return new AssertionError("a queued task has no business with its runtime");
  }

  @Override
  public void schedule(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void reschedule(TaskCell<?> task) {
    throw unexpected();
  }

  @Override
  public void carry(Runnable continuation) {
    throw new AssertionError("no thread has this host's scheduler");
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
  public void keepUnjoined(JoinCell<?> task, TaskFailure failure) {
    throw unexpected();
  }

  @Override
  public void forgetUnjoined(TaskFailure failure) {
    throw unexpected();
  }

  @Override
  public void uncaught(String what, Throwable failure) {
    throw unexpected();
  }

  @Override
  public void quiet() {
    throw unexpected();
  }

  @Override
  public RuntimeTimers timers() {
    throw unexpected();
  }

  @Override
  public BlitzRuntime runtime() {
    throw unexpected();
  }
}
