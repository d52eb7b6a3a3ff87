package dev.blitz.io;

/**
 * What happens when a task throws an Error of the virtual machine, such as {@link
 * OutOfMemoryError}. A {@link StackOverflowError} is an ordinary failure of its task.
 */
public enum FatalErrorPolicy {
  /** The task fails like any other, and the uncaught handler is told. The default. */
  FAIL_TASK,
  /** Besides, the runtime stops taking tasks and cancels all. */
  CLOSE_RUNTIME,
  /** Besides, the virtual machine is halted with exit code 134, for a supervisor to restart. */
  HALT_JVM
}
