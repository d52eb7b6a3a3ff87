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

  /** The innermost limit around what the thread is calling, or null. */
  @Nullable CallLimit limit();

  /** Begins or ends a limit. */
  void setLimit(@Nullable CallLimit limit);

  /**
   * The thread is about to block: {@code wake} is run after each interrupt by the runtime, so that
   * a manual clock counts the thread before the one who interrupts it goes on. Null: no longer.
   *
   * @return what was set before
   */
  @Nullable Runnable setWait(@Nullable Runnable wake);
}
