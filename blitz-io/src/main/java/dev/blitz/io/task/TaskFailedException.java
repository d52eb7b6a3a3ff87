package dev.blitz.io.task;

/**
 * A task that was waited for has failed. The cause is what the task threw, with the task's stack;
 * this exception has the stack of the one who waited.
 */
public final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Made for each one who waits. */
  public TaskFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
