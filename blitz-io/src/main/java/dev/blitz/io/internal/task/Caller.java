package dev.blitz.io.internal.task;

import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.current.Inside;
import dev.blitz.io.task.Spawner;
import org.jspecify.annotations.Nullable;

/** The task that is calling, and who spawns; what it is otherwise, {@link Current} knows. */
public final class Caller {
  private Caller() {}

  /**
   * What starts tasks in the caller's runtime.
   *
   * @param what asks for it, for the message
   * @throws IllegalStateException for a stranger
   */
  public static Spawner spawner(String what) {
    return (Spawner) Current.required(what).api();
  }

  /** The task that the calling thread is running, or null. */
  public static @Nullable JoinCell<?> task() {
    Inside here = Current.here();
    return here == null ? null : (JoinCell<?>) here.currentTask();
  }
}
