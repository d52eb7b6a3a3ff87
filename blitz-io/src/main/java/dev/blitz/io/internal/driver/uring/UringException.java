package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.Errno;

/** The kernel refused something a ring cannot do without. */
final class UringException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int errno;

  UringException(String what, int errno) {
    super(what + ": " + describe(errno));
    this.errno = errno;
  }

  static String describe(int errno) {
    return Errno.describe(errno) + " (errno " + errno + ")";
  }

  int errno() {
    return errno;
  }
}
