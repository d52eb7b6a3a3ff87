package dev.blitz.io.internal.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls of {@code <sys/inotify.h>}. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class InotifyCalls {
  private InotifyCalls() {}

  private static final MethodHandle OPEN = LibcCalls.intCall("inotify_init1", JAVA_INT);
  private static final MethodHandle ADD =
      LibcCalls.intCall("inotify_add_watch", JAVA_INT, ADDRESS, JAVA_INT);

  /** A descriptor that tells of the changes in a directory, or {@code -errno}; may wait. */
  static int watch(PathBytes directory) {
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment path = directory.copyTo(frame.staging());
      int fd = (int) OPEN.invokeExact(frame.errno(), PosixAbi.O_NONBLOCK | PosixAbi.O_CLOEXEC);
      if (fd < 0) {
        return LibcCalls.failure(frame.errno());
      }
      int added = (int) ADD.invokeExact(frame.errno(), fd, path, InotifyAbi.CHANGES);
      if (added < 0) {
        int failure = LibcCalls.failure(frame.errno());
        PosixCalls.close(fd);
        return failure;
      }
      return fd;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }
}
