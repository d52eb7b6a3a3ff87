package dev.blitz.io.task;

import dev.blitz.io.internal.base.Frames;

/**
 * A task that was waited for has failed. The cause is what the task threw, with the task's stack;
 * this exception has the stack of the one who waited, without our own frames.
 */
public final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Made for each one who waits. */
  public TaskFailedException(String message, Throwable cause) {
    super(message, cause);
    setStackTrace(Frames.withoutOurs(getStackTrace()));
  }
}
