package dev.blitz.io.internal.driver.posix;

import java.io.IOException;

/** The limit of open descriptors has been reached. */
public final class NoDescriptorException extends IOException {
  private static final long serialVersionUID = 1L;

  /** {@code message}: what failed, and the system's words. */
  public NoDescriptorException(String message) {
    super(message);
  }
}
