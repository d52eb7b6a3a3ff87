package dev.blitz.io.internal.current;

import org.jspecify.annotations.Nullable;

/**
 * A thread's place inside a runtime: a thread of the runtime's own, or a direct task on its virtual
 * thread. What it says is for that thread only.
 */
public interface Inside {

  /** The runtime. */
  Home home();

  /** The task that the thread is running, or null. */
  @Nullable Object currentTask();

  /** The task-locals in force. */
  @Nullable Bindings bindings();

  /** Puts other task-locals in force. */
  void setBindings(@Nullable Bindings bindings);
}
