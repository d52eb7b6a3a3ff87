package dev.blitz.io.time;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.timer.RuntimeTimers;

/** Finds the timers of the runtime that a future is being polled in. */
final class Clocks {
  private Clocks() {}

  static RuntimeTimers timersOf(Context cx) {
    if (cx instanceof TaskPoll p) {
      var task = (TaskCell<?>) p.task();
      if (task != null) {
        return task.timers();
      }
    }
    return current();
  }

  /** The timers of the current runtime; says what to do outside any. */
  static RuntimeTimers current() {
    return Caller.required("a timer").timers();
  }
}
