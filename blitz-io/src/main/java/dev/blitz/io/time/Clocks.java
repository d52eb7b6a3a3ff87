package dev.blitz.io.time;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.task.TaskContext;
import dev.blitz.io.internal.task.TaskHost;
import dev.blitz.io.internal.timer.RuntimeTimers;

/** Finds the timers of the runtime that a future is being polled in. */
final class Clocks {
  private Clocks() {}

  static RuntimeTimers timersOf(Context cx) {
    if (cx instanceof TaskContext p) {
      TaskCell<?> task = p.task();
      if (task != null) {
        return task.timers();
      }
    }
    return current();
  }

  /** The timers of the current runtime; says what to do outside any. */
  static RuntimeTimers current() {
    TaskHost host = Caller.host();
    if (host != null) {
      return host.timers();
    }
    throw new IllegalStateException(
        "timers need a runtime, and thread "
            + Thread.currentThread().getName()
            + " belongs to none: use this inside a task, or in "
            + BlitzRuntime.class.getSimpleName()
            + ".run(...)");
  }
}
