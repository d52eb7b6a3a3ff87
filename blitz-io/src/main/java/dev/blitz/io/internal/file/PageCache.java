package dev.blitz.io.internal.file;

import dev.blitz.io.internal.driver.posix.CallFrame;
import java.lang.foreign.MemorySegment;

/** What the system has of a file in memory. Never waits. */
public final class PageCache {
  private PageCache() {}

  /**
   * How many bytes from {@code position} on, up to {@code most}, can be taken without waiting for a
   * disk, as far as the system tells; 0 if it does not, or if the file ends there. The first and
   * the last are read: a page is in memory already while it is being filled.
   *
   * @param fd of a file that has offsets
   */
  public static int present(int fd, long position, int most) {
    CallFrame frame = CallFrame.take();
    try {
      long cached = FileCalls.cachedPages(frame, fd, position, most);
      if (cached <= 0) {
        return 0;
      }
      int length = most;
      if (cached < pages(position, length)) {
        length = (int) Math.min(most, FileCalls.sizeNow(frame, fd) - position);
        if (length <= 0 || cached < pages(position, length)) {
          return 0;
        }
      }
      return isFilled(frame, fd, position) && isFilled(frame, fd, position + length - 1)
          ? length
          : 0;
    } finally {
      frame.giveBack();
    }
  }

  private static boolean isFilled(CallFrame frame, int fd, long position) {
    MemorySegment one = frame.length();
    return FileCalls.readNow(frame, fd, one, 1, position) == 1;
  }

  private static long pages(long position, int length) {
    int page = FileCalls.PAGE_BYTES;
    return (position + length + page - 1) / page - position / page;
  }
}
