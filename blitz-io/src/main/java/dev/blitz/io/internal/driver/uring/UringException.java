package dev.blitz.io.internal.driver.uring;

/** The kernel refused something a ring cannot do without. */
final class UringException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int errno;

  UringException(String what, int errno) {
    super(what + ": " + UringCalls.describe(errno));
    this.errno = errno;
  }

  int errno() {
    return errno;
  }
}
