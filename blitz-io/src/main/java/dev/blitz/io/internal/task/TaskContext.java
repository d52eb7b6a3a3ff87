package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import org.jspecify.annotations.Nullable;

/** A context that knows the task it belongs to. */
public interface TaskContext extends Context {

  /** The task that is being polled, or that awaits; null between polls. */
  @Nullable TaskCell<?> task();
}
