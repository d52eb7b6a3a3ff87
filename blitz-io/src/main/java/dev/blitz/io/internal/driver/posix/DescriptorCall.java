package dev.blitz.io.internal.driver.posix;

import java.io.IOException;

/** A call on a descriptor that does not wait: its result, or {@code -errno}. */
@FunctionalInterface
public interface DescriptorCall {

  /**
   * Makes it.
   *
   * @param frame lent for the time of the call
   * @param fd in use
   */
  long make(CallFrame frame, int fd) throws IOException;
}
