package dev.blitz.io.internal.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on files that never wait for a disk, but for {@link #setLength}. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class FileCalls {
  private FileCalls() {}

  private static final MethodHandle SEEK =
      LibcCalls.longCall("lseek", JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle READ_AT =
      LibcCalls.vectorCall("preadv2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle SET_LENGTH =
      LibcCalls.intCall("ftruncate", JAVA_INT, JAVA_LONG);

  /** Whether bytes have offsets. */
  static boolean isSeekable(int fd) {
    CallFrame frame = CallFrame.take();
    try {
      return (long) SEEK.invokeExact(frame.errno(), fd, 0L, FileAbi.SEEK_CUR) >= 0;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  /** Reads into native memory what the system has in memory already; else {@code -EAGAIN}. */
  static int readNow(CallFrame frame, int fd, MemorySegment target, long length, long position) {
    MemorySegment[] vectors = frame.vectors();
    PosixAbi.setIovec(frame.iovecs(), 0, target, length);
    vectors[0] = target;
    try {
      long n =
          (long)
              READ_AT.invokeExact(
                  frame.errno(), fd, frame.iovecs(), 1, position, FileAbi.RWF_NOWAIT, vectors);
      return n >= 0 ? (int) n : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      vectors[0] = MemorySegment.NULL;
    }
  }

  /** Where the kernel has no operation for it; waits for the disk. */
  static int setLength(int fd, long length) {
    CallFrame frame = CallFrame.take();
    try {
      int r;
      do {
        r = (int) SET_LENGTH.invokeExact(frame.errno(), fd, length);
        if (r < 0) {
          r = LibcCalls.failure(frame.errno());
        }
      } while (r == -Errno.EINTR);
      return r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }
}
