package dev.blitz.io.internal.driver.posix;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * Layouts and numbers of {@code <fcntl.h>}, {@code <poll.h>}, {@code <sys/uio.h>} and {@code
 * <sys/stat.h>}, the same on every architecture that a JDK is built for; {@link PosixNumber} has
 * those that differ between platforms.
 */
public final class PosixAbi {
  private PosixAbi() {}

  public static final int O_RDONLY = 0;
  public static final int O_WRONLY = 1;
  public static final int O_RDWR = 2;
  public static final int O_ACCMODE = 3;
  public static final int O_NOCTTY = PosixNumber.O_NOCTTY.here();
  public static final int O_NONBLOCK = PosixNumber.O_NONBLOCK.here();
  public static final int O_CLOEXEC = PosixNumber.O_CLOEXEC.here();

  static final int F_SETFD = 2;
  static final int FD_CLOEXEC = 1;
  public static final int F_GETFL = 3;
  public static final int F_SETFL = 4;
  public static final int F_DUPFD_CLOEXEC = PosixNumber.F_DUPFD_CLOEXEC.here();

  public static final int POLLIN = 0x1;
  public static final int POLLOUT = 0x4;
  public static final int POLLNVAL = 0x20;
  public static final int POLLRDHUP = 0x2000;

  static final int AT_EMPTY_PATH = 0x1000;
  static final int STATX_TYPE = 1;

  public static final int S_IFMT = 0xf000;
  public static final int S_IFIFO = 0x1000;
  public static final int S_IFDIR = 0x4000;
  public static final int S_IFBLK = 0x6000;
  public static final int S_IFREG = 0x8000;
  public static final int S_IFSOCK = 0xc000;

  static final MemorySegment EMPTY_PATH = Arena.global().allocate(1);

  /** {@code struct iovec}. */
  public static final MemoryLayout IOVEC =
      structLayout(ADDRESS.withName("iov_base"), JAVA_LONG.withName("iov_len"));

  /** {@code struct pollfd}. */
  static final MemoryLayout POLLFD =
      structLayout(
          JAVA_INT.withName("fd"), JAVA_SHORT.withName("events"), JAVA_SHORT.withName("revents"));

  private static final int POLL_MASK = PosixNumber.POLL_MASK.here();
  private static final long MODE_OFFSET = PosixNumber.MODE_OFFSET.here();

  /** Memory for {@code count} vectors. */
  public static MemorySegment allocateVectors(Arena arena, int count) {
    return arena.allocate(IOVEC, count);
  }

  /** Vector {@code index}, and those behind it. */
  public static MemorySegment iovecsFrom(MemorySegment iovecs, int index) {
    return iovecs.asSlice(index * IOVEC.byteSize());
  }

  /** Points vector {@code index} at {@code memory}. */
  public static void setIovec(MemorySegment iovecs, int index, MemorySegment memory, long length) {
    long at = index * IOVEC.byteSize();
    iovecs.set(ADDRESS, at, memory);
    iovecs.set(JAVA_LONG, at + ADDRESS.byteSize(), length);
  }

  static void setPoll(MemorySegment pollfd, int fd, int events) {
    pollfd.set(JAVA_INT, 0, fd);
    pollfd.set(JAVA_SHORT, 4, (short) (events & POLL_MASK));
    pollfd.set(JAVA_SHORT, 6, (short) 0);
  }

  static int pollAnswer(MemorySegment pollfd) {
    return Short.toUnsignedInt(pollfd.get(JAVA_SHORT, 6));
  }

  static int fileType(MemorySegment status) {
    return Short.toUnsignedInt(status.get(JAVA_SHORT, MODE_OFFSET)) & S_IFMT;
  }

  /** A copy of its first bytes. */
  public static byte[] bytesAt(MemorySegment segment, int length) {
    var bytes = new byte[length];
    MemorySegment.copy(segment, 0, MemorySegment.ofArray(bytes), 0, length);
    return bytes;
  }

  public static int intAt(MemorySegment segment, long offset) {
    return segment.get(JAVA_INT, offset);
  }

  public static void setIntAt(MemorySegment segment, long offset, int value) {
    segment.set(JAVA_INT, offset, value);
  }
}
