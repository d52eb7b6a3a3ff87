package dev.blitz.io.internal.driver.posix;

import java.io.IOException;

/** Turns errno into exceptions, for descriptors that are no sockets. */
public final class PosixErrors {
  private PosixErrors() {}

  /** {@code what} failed with {@code errno}, a positive number. */
  public static IOException of(String what, int errno) {
    String message = what + ": " + Errno.describe(errno);
    return Errno.isShortage(errno) ? new NoDescriptorException(message) : new IOException(message);
  }

  /** Throws if {@code result} is {@code -errno}. */
  public static int check(String what, int result) throws IOException {
    if (result < 0) {
      throw of(what, -result);
    }
    return result;
  }
}
