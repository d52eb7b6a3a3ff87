package dev.blitz.io.internal.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;

/**
 * Calls on files. Each answers what the kernel does, or {@code -errno}. Those that take a frame
 * never wait for a disk where the path, if any, is in memory.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class FileCalls {
  private FileCalls() {}

  private static final MethodHandle SEEK =
      LibcCalls.longCall("lseek", JAVA_INT, JAVA_LONG, JAVA_INT);

  /**
   * With one vector, and behind its own arguments the memory that this points at, which the linker
   * so keeps alive ({@link LibcCalls#vectorCall} says why that may be). Each such argument costs: a
   * call with room for all vectors of a frame is dearer.
   */
  private static final MethodHandle READ_AT =
      LibcCalls.longCall("preadv2", JAVA_INT, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS);

  private static final MethodHandle SET_LENGTH =
      LibcCalls.intCall("ftruncate", JAVA_INT, JAVA_LONG);
  private static final MethodHandle READ =
      LibcCalls.longCall("pread", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle WRITE =
      LibcCalls.longCall("pwrite", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle FORCE = LibcCalls.intCall("fsync", JAVA_INT);
  private static final MethodHandle FORCE_DATA = LibcCalls.intCall("fdatasync", JAVA_INT);
  private static final MethodHandle STATUS =
      LibcCalls.intCall("statx", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);

  private static final MethodHandle COPY =
      LibcCalls.longCall(
          "copy_file_range", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle CACHED =
      LibcCalls.systemCall(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
  private static final MethodHandle OPEN =
      LibcCalls.systemCall(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
  private static final MethodHandle FILE_SYSTEM = LibcCalls.intCall("statfs", ADDRESS, ADDRESS);

  private static final MethodHandle POLL = LibcCalls.intCall("poll", ADDRESS, JAVA_LONG, JAVA_INT);

  private static final MethodHandle CONTROL =
      LibcCalls.variadicCall("fcntl", 2, JAVA_INT, JAVA_INT, ADDRESS);

  static final int PAGE_BYTES = pageBytes();

  private static final MemorySegment EMPTY_PATH = Arena.global().allocate(1);

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
    MemorySegment vector = frame.iovecs();
    PosixAbi.setIovec(vector, 0, target, length);
    try {
      long n =
          (long)
              READ_AT.invokeExact(
                  frame.errno(), fd, vector, 1, position, FileAbi.RWF_NOWAIT, target);
      return n >= 0 ? (int) n : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
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

  /** Opens what {@code fd} is once more. */
  static int reopen(CallFrame frame, int fd, int flags) {
    MemorySegment path = frame.staging();
    path.setString(0, "/proc/self/fd/" + fd);
    return PosixCalls.open(frame, path, flags, 0);
  }

  /** As {@link #setBlocking}, of what was opened with nothing that could be changed later. */
  static void setPlain(CallFrame frame, int fd) {
    PosixCalls.control(frame, fd, PosixAbi.F_SETFL, 0);
  }

  /** Lets calls on {@code fd} wait; false if that fails. */
  static boolean setBlocking(CallFrame frame, int fd) {
    int flags = PosixCalls.control(frame, fd, PosixAbi.F_GETFL, 0);
    return flags >= 0
        && PosixCalls.control(frame, fd, PosixAbi.F_SETFL, flags & ~PosixAbi.O_NONBLOCK) >= 0;
  }

  /** The {@code S_IFMT} part of what {@code path}, which ends with a zero, leads to. */
  static int fileType(CallFrame frame, MemorySegment path, boolean followLinks) {
    int flags = followLinks ? 0 : FileAbi.AT_SYMLINK_NOFOLLOW;
    MemorySegment status = frame.staging().asSlice(FileAbi.PATH_BYTES, FileAbi.STATX_BYTES);
    try {
      int r =
          (int)
              STATUS.invokeExact(
                  frame.errno(), FileAbi.AT_FDCWD, path, flags, FileAbi.STATX_TYPE, status);
      return r >= 0 ? FileAbi.fileType(status) : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  private static int pageBytes() {
    try {
      return (int) LibcCalls.plain("getpagesize", FunctionDescriptor.of(JAVA_INT)).invokeExact();
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** How many bytes a file has. */
  static long size(int fd) {
    CallFrame frame = CallFrame.take();
    try {
      return size(frame, fd, FileAbi.AT_EMPTY_PATH);
    } finally {
      frame.giveBack();
    }
  }

  /** As {@link #size(int)}, as far as it is known without waiting. */
  static long sizeNow(CallFrame frame, int fd) {
    return size(frame, fd, FileAbi.AT_EMPTY_PATH | FileAbi.AT_STATX_DONT_SYNC);
  }

  private static long size(CallFrame frame, int fd, int flags) {
    try {
      MemorySegment status = frame.staging();
      int r =
          (int)
              STATUS.invokeExact(frame.errno(), fd, EMPTY_PATH, flags, FileAbi.STATX_SIZE, status);
      return r >= 0 ? FileAbi.size(status) : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * All that is known of {@code fd} without asking a server, to the begin of the staging memory.
   */
  static int statusNow(CallFrame frame, int fd) {
    int flags = FileAbi.AT_EMPTY_PATH | FileAbi.AT_STATX_DONT_SYNC;
    try {
      int r =
          (int)
              STATUS.invokeExact(
                  frame.errno(), fd, EMPTY_PATH, flags, FileAbi.STATX_ALL, frame.staging());
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Reads into what remains of {@code target}, which is outside the heap. */
  static long read(int fd, ByteBuffer target, long position) {
    MemorySegment memory = MemorySegment.ofBuffer(target);
    CallFrame frame = CallFrame.take();
    try {
      long n;
      do {
        n = (long) READ.invokeExact(frame.errno(), fd, memory, memory.byteSize(), position);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  /** Writes what remains in {@code source}, which is outside the heap. */
  static long write(int fd, ByteBuffer source, long position) {
    MemorySegment memory = MemorySegment.ofBuffer(source);
    CallFrame frame = CallFrame.take();
    try {
      long n;
      do {
        n = (long) WRITE.invokeExact(frame.errno(), fd, memory, memory.byteSize(), position);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  /** Makes what was written last. */
  static int force(int fd, boolean metadata) {
    CallFrame frame = CallFrame.take();
    try {
      int r;
      do {
        r =
            metadata
                ? (int) FORCE.invokeExact(frame.errno(), fd)
                : (int) FORCE_DATA.invokeExact(frame.errno(), fd);
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

  /** Locks or unlocks a part for whoever has this descriptor; waits for no lock. */
  static int setLock(int fd, short type, long position, long length) {
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment lock = frame.address();
      FileAbi.setLock(lock, type, position, length);
      int r;
      do {
        r = (int) CONTROL.invokeExact(frame.errno(), fd, FileAbi.F_OFD_SETLK, lock);
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

  /** How many pages of a range the system has in memory. */
  static long cachedPages(CallFrame frame, int fd, long position, long length) {
    MemorySegment range = frame.value();
    MemorySegment counts = frame.staging();
    range.set(JAVA_LONG, 0, position);
    range.set(JAVA_LONG, Long.BYTES, length);
    try {
      long r = (long) CACHED.invokeExact(frame.errno(), FileAbi.CACHESTAT, fd, range, counts, 0);
      return r >= 0 ? counts.get(JAVA_LONG, 0) : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Copies inside the kernel; waits for the disk. */
  static long copy(int from, long sourcePosition, int to, long targetPosition, long length) {
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment source = frame.value();
      MemorySegment target = frame.address();
      source.set(JAVA_LONG, 0, sourcePosition);
      target.set(JAVA_LONG, 0, targetPosition);
      long n;
      do {
        n = (long) COPY.invokeExact(frame.errno(), from, source, to, target, length, 0);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    } finally {
      frame.giveBack();
    }
  }

  /**
   * Opens what is there already, if the system has all parts of its path in memory; else {@code
   * -EAGAIN}.
   */
  static int openNow(CallFrame frame, MemorySegment path, int flags) {
    MemorySegment how = frame.staging().asSlice(FileAbi.PATH_BYTES, FileAbi.OPEN_HOW_BYTES);
    how.set(JAVA_LONG, 0, flags);
    how.set(JAVA_LONG, Long.BYTES, 0);
    how.set(JAVA_LONG, 2 * Long.BYTES, FileAbi.RESOLVE_CACHED);
    try {
      long fd =
          (long)
              OPEN.invokeExact(
                  frame.errno(),
                  FileAbi.OPENAT2,
                  FileAbi.AT_FDCWD,
                  path,
                  how,
                  (long) FileAbi.OPEN_HOW_BYTES);
      return fd >= 0 ? (int) fd : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** The kind of file system that {@code path}, which ends with a zero, is in; may wait. */
  static long fileSystem(CallFrame frame, MemorySegment path) {
    MemorySegment status = frame.staging().asSlice(FileAbi.PATH_BYTES, FileAbi.STATFS_BYTES);
    try {
      int r = (int) FILE_SYSTEM.invokeExact(frame.errno(), path, status);
      return r >= 0 ? status.get(JAVA_LONG, 0) : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Waits until there is something to be read, or whoever wrote has gone, or a counter counts. */
  static int awaitReadable(CallFrame frame, int fd, int counter) {
    MemorySegment polls = frame.value();
    polls.set(JAVA_INT, 0, fd);
    polls.set(JAVA_INT, Integer.BYTES, PosixAbi.POLLIN);
    polls.set(JAVA_INT, 2 * Integer.BYTES, counter);
    polls.set(JAVA_INT, 3 * Integer.BYTES, PosixAbi.POLLIN);
    try {
      int r;
      do {
        r = (int) POLL.invokeExact(frame.errno(), polls, 2L, -1);
        if (r < 0) {
          r = LibcCalls.failure(frame.errno());
        }
      } while (r == -Errno.EINTR);
      return r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
