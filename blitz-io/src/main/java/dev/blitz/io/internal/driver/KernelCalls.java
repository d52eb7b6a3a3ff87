package dev.blitz.io.internal.driver;

import java.io.IOException;

/**
 * Calls that the kernel carries out by itself, so that no thread waits for them: what a completion
 * backend can do for files. Thread safe; never waits. The contract is in {@code
 * docs/design/driver.md}.
 */
public interface KernelCalls {

  /** Whether the kernel knows an operation. */
  boolean knows(int opcode);

  /**
   * Hands {@code call}, which nobody has submitted before, to the kernel: at once or with the next
   * system call of a worker.
   *
   * @throws java.nio.channels.ClosedChannelException if the runtime, or the call's descriptor, is
   *     closed. Whenever this throws the call has not been made, and {@link KernelCall#abandoned}
   *     will not be called
   */
  void submit(KernelCall call) throws IOException;
}
