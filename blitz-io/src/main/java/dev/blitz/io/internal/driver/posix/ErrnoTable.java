package dev.blitz.io.internal.driver.posix;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What other systems call the failures that {@link Errno} has the numbers of Linux for. Failures
 * are translated where they are captured, so that nothing else has to know.
 */
/* Implementation notes
 *
 * A failure that is not in the table gets a number of its own, beyond all of Linux, from which the system's can be
 * told again: its words are the system's.
 */
final class ErrnoTable {
  /** Beyond all numbers of Linux. */
  private static final int FOREIGN = 4096;

  /** Not one of this system's. */
  private static final int NONE = 0;

  /** Linux, macOS, FreeBSD. Up to {@link Errno#EPIPE} all but EAGAIN are the same everywhere. */
  private static final int[][] ROWS = {
    {Errno.EAGAIN, 35, 35},
    {Errno.ENAMETOOLONG, 63, 63},
    {Errno.ENOSYS, 78, 78},
    {Errno.ENOTEMPTY, 66, 66},
    {Errno.ELOOP, 62, 62},
    {Errno.ETIME, 101, NONE},
    {Errno.EPROTO, 100, 92},
    {Errno.ENOTSOCK, 38, 38},
    {Errno.EMSGSIZE, 40, 40},
    {Errno.EOPNOTSUPP, 102, 45},
    {Errno.EAFNOSUPPORT, 47, 47},
    {Errno.EADDRINUSE, 48, 48},
    {Errno.EADDRNOTAVAIL, 49, 49},
    {Errno.ENETDOWN, 50, 50},
    {Errno.ENETUNREACH, 51, 51},
    {Errno.ECONNABORTED, 53, 53},
    {Errno.ECONNRESET, 54, 54},
    {Errno.ENOBUFS, 55, 55},
    {Errno.ENOTCONN, 57, 57},
    {Errno.ETIMEDOUT, 60, 60},
    {Errno.ECONNREFUSED, 61, 61},
    {Errno.EHOSTDOWN, 64, 64},
    {Errno.EHOSTUNREACH, 65, 65},
    {Errno.EALREADY, 37, 37},
    {Errno.EINPROGRESS, 36, 36},
    {Errno.ECANCELED, 89, 85},
  };

  /** EDEADLK of others; EAGAIN here. */
  private static final int LAST_SHARED = Errno.EPIPE;

  private final Map<Integer, Integer> toOurs = new HashMap<>();
  private final Map<Integer, Integer> toSystem = new HashMap<>();

  private ErrnoTable(Platform platform) {
    for (int[] row : ROWS) {
      int number = platform.pick(row[0], row[1], row[2]);
      if (number != NONE) {
        toOurs.put(number, row[0]);
        toSystem.put(row[0], number);
      }
    }
    if (platform == Platform.MACOS) {
      // EPROTOTYPE: what a send there may say while the connection is being torn down.
      toOurs.put(41, Errno.EPIPE);
      // ENOTSUP, which is the same as EOPNOTSUPP elsewhere.
      toOurs.put(45, Errno.EOPNOTSUPP);
    }
  }

  /** Null where the numbers are those of Linux. */
  static @Nullable ErrnoTable of(Platform platform) {
    return platform.isBsd() ? new ErrnoTable(platform) : null;
  }

  /** The number of {@link Errno} for one of the system's. */
  int toOurs(int system) {
    Integer known = toOurs.get(system);
    if (known != null) {
      return known;
    }
    return isShared(system) ? system : FOREIGN + system;
  }

  /** The system's number for one of {@link Errno}'s. */
  int toSystem(int ours) {
    Integer known = toSystem.get(ours);
    if (known != null) {
      return known;
    }
    return ours > FOREIGN ? ours - FOREIGN : ours;
  }

  private static boolean isShared(int system) {
    return system <= LAST_SHARED && system != Errno.EAGAIN;
  }
}
