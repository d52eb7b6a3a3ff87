package dev.blitz.io.internal.driver.poll;

/** A descriptor and what is waited for; under the poller's lock. */
final class Armed {
  final int fd;
  final long key;
  int interest;

  Armed(int fd, long key) {
    this.fd = fd;
    this.key = key;
  }
}
