package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.Home;

/** What a task asks of the scheduler it lives in. */
public interface Schedule {

  /** Puts what was woken into a run queue; called on any thread, never throws. */
  void schedule(QueueItem item);

  /**
   * Puts a task that goes on at once behind the others; called by the worker that just polled it.
   */
  void reschedule(TaskCell<?> task);

  /** Remembers a task that is about to be idle for the first time, so that closing finds it. */
  void own(TaskCell<?> task);

  /** Forgets it. */
  void disown(TaskCell<?> task);

  /** Counts the end of a task. */
  void ended();

  /** The runtime around it. */
  Home home();
}
