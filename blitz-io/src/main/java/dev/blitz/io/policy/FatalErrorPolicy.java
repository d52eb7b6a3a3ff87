package dev.blitz.io.policy;

/**
 * What happens when code that a runtime calls throws an Error of the virtual machine, such as
 * {@link OutOfMemoryError}: a task, a blocking call, a {@code drop()}, a waker, a hook or a
 * handler. A {@link StackOverflowError} is an ordinary failure.
 */
public enum FatalErrorPolicy {
  /** A task fails like any other, and the uncaught handler is told at once. The default. */
  FAIL_TASK,
  /**
   * Besides, the runtime stops taking tasks and cancels all. Blocking calls that have been
   * submitted still run; {@link dev.blitz.io.BlitzRuntime#close} cancels them.
   */
  CLOSE_RUNTIME,
  /** Besides, the virtual machine is halted with exit code 134, for a supervisor to restart. */
  HALT_JVM
}
