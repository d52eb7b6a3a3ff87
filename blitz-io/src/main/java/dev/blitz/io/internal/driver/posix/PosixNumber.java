package dev.blitz.io.internal.driver.posix;

/**
 * Numbers of {@code <fcntl.h>}, {@code <poll.h>} and {@code <sys/stat.h>} that differ between
 * platforms: for Linux, macOS, FreeBSD.
 */
enum PosixNumber {
  O_NOCTTY(0x100, 0x20000, 0x8000),
  O_NONBLOCK(0x800, 0x4, 0x4),
  O_CLOEXEC(0x80000, 0x1000000, 0x100000),
  F_DUPFD_CLOEXEC(1030, 67, 17),

  /**
   * All that {@code poll} may be asked for: elsewhere the bit of POLLRDHUP means something else.
   */
  POLL_MASK(0x2007, 0x7, 0x7),

  /** Where the status of a file has its type; {@code struct statx} on Linux, else {@code stat}. */
  MODE_OFFSET(28, 4, 24);

  private final int linux;
  private final int macos;
  private final int freebsd;

  PosixNumber(int linux, int macos, int freebsd) {
    this.linux = linux;
    this.macos = macos;
    this.freebsd = freebsd;
  }

  int on(Platform platform) {
    return platform.pick(linux, macos, freebsd);
  }

  int here() {
    return on(Platform.here());
  }
}
