package dev.blitz.io.internal.driver.posix;

import org.jspecify.annotations.Nullable;

/**
 * The numbers of {@code <errno.h>} on Linux, on every architecture that a JDK is built for. They
 * are what calls answer on other platforms too: see {@link ErrnoTable}.
 */
public final class Errno {
  private Errno() {}

  private static final @Nullable ErrnoTable OTHERS = ErrnoTable.of(Platform.here());

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EXDEV = 18;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOSPC = 28;
  public static final int ESPIPE = 29;
  public static final int EPIPE = 32;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENOTEMPTY = 39;
  public static final int ELOOP = 40;
  public static final int ETIME = 62;
  public static final int ENONET = 64;
  public static final int EPROTO = 71;
  public static final int ENOTSOCK = 88;
  public static final int EMSGSIZE = 90;
  public static final int EOPNOTSUPP = 95;
  public static final int EAFNOSUPPORT = 97;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETDOWN = 100;
  public static final int ENETUNREACH = 101;
  public static final int ECONNABORTED = 103;
  public static final int ECONNRESET = 104;
  public static final int ENOBUFS = 105;
  public static final int ENOTCONN = 107;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTDOWN = 112;
  public static final int EHOSTUNREACH = 113;
  public static final int EALREADY = 114;
  public static final int EINPROGRESS = 115;
  public static final int ECANCELED = 125;

  /** What the system calls {@code errno}, a number of its own. */
  public static int ofSystem(int errno) {
    return OTHERS == null ? errno : OTHERS.toOurs(errno);
  }

  /** What {@code errno} is to the system. */
  static int toSystem(int errno) {
    return OTHERS == null ? errno : OTHERS.toSystem(errno);
  }

  /** The system's words for {@code errno}, a positive number. */
  public static String describe(int errno) {
    return PosixCalls.describe(toSystem(errno));
  }

  /** Whether a new descriptor, or memory for one, could not be had. */
  public static boolean isShortage(int errno) {
    return switch (errno) {
      case EMFILE, ENFILE, ENOBUFS, ENOMEM -> true;
      default -> false;
    };
  }
}
