package dev.blitz.io.time;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.RuntimeThread;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.io.internal.timer.RuntimeTimers;

/** Finds the timers of the runtime that a future is being polled in. */
final class Clocks {
  private Clocks() {}

  static RuntimeTimers timersOf(Context cx) {
    if (cx instanceof PollContext p) {
      TaskCell<?> task = p.task();
      if (task != null) {
        return task.timers();
      }
    }
    return current();
  }

  /** The timers of the current runtime; says what to do outside any. */
  static RuntimeTimers current() {
    if (Thread.currentThread() instanceof RuntimeThread t) {
      return t.host().timers();
    }
    throw new IllegalStateException(
        "timers need a runtime, and thread "
            + Thread.currentThread().getName()
            + " belongs to none: use this inside a task, or in "
            + BlitzRuntime.class.getSimpleName()
            + ".run(...)");
  }
}
