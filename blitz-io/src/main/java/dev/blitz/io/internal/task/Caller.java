package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Inside;
import org.jspecify.annotations.Nullable;

/** The task that is calling, and its runtime; what it is otherwise, {@link Current} knows. */
public final class Caller {
  private Caller() {}

  /** The runtime's inside, or null for a stranger. */
  public static @Nullable TaskHost host() {
    return (TaskHost) Current.home(); // every runtime is one
  }

  /**
   * The runtime's inside.
   *
   * @param what asks for it, for the message
   * @throws IllegalStateException for a stranger
   */
  public static TaskHost required(String what) {
    return (TaskHost) Current.required(what);
  }

  /** The task that the calling thread is running, or null. */
  public static @Nullable JoinCell<?> task() {
    Inside here = Current.here();
    return here == null ? null : (JoinCell<?>) here.currentTask();
  }
}
