package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.Errno;
import java.nio.file.FileSystemException;

/** Locks that belong to a descriptor, and not, as those of the JDK, to the process. */
final class NativeLocks {
  private NativeLocks() {}

  /** Whether it was granted; may wait for a server, but for no lock. */
  static boolean tryLock(int fd, RangeLock range) throws FileSystemException {
    int r = set(fd, range, range.isShared() ? FileAbi.F_RDLCK : FileAbi.F_WRLCK);
    if (r == -Errno.EAGAIN || r == -Errno.EACCES) {
      return false;
    }
    check(r, range);
    return true;
  }

  static void unlock(int fd, RangeLock range) throws FileSystemException {
    check(set(fd, range, FileAbi.F_UNLCK), range);
  }

  private static int set(int fd, RangeLock range, short type) {
    return FileCalls.setLock(fd, type, range.position(), range.isToTheEnd() ? 0 : range.length());
  }

  private static void check(int answer, RangeLock range) throws FileSystemException {
    if (answer < 0) {
      throw new FileSystemException(range.file().path().toString(), null, Errno.describe(-answer));
    }
  }
}
