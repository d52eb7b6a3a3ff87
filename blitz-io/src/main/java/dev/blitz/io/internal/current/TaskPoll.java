package dev.blitz.io.internal.current;

import dev.blitz.io.internal.timer.RuntimeTimers;
import org.jspecify.annotations.Nullable;

/** A context that knows its task; here, so that futures need not know what a task is. */
public interface TaskPoll {

  /** The task that is being polled, or that awaits; null between polls. */
  @Nullable Object task();

  /** The timers of that task's runtime; null where {@link #task} is. */
  @Nullable RuntimeTimers timers();

  /**
   * The poll that is pending can go on: its task goes behind the others. As a wake, but cheaper.
   *
   * @return false if this context knows no such way, and nothing has been done
   */
  default boolean goOnAtOnce() {
    return false;
  }
}
