package dev.blitz.io.internal.driver.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * System calls on descriptors of any kind. Each answers what the kernel does, or {@code -errno};
 * EINTR is dealt with here. None waits, if the descriptor is non-blocking.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
public final class PosixCalls {
  private PosixCalls() {}

  private static final MethodHandle READ = LibcCalls.longCall("read", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle WRITE =
      LibcCalls.longCall("write", JAVA_INT, ADDRESS, JAVA_LONG);
  private static final MethodHandle READ_VECTORS =
      LibcCalls.vectorCall("readv", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle WRITE_VECTORS =
      LibcCalls.vectorCall("writev", JAVA_INT, ADDRESS, JAVA_INT);
  private static final MethodHandle PIPE = LibcCalls.intCallIfAny("pipe2", ADDRESS, JAVA_INT);
  private static final MethodHandle PLAIN_PIPE = LibcCalls.intCall("pipe", ADDRESS);
  private static final MethodHandle OPEN =
      LibcCalls.variadicCall("open", 2, ADDRESS, JAVA_INT, JAVA_INT);
  private static final MethodHandle CONTROL =
      LibcCalls.variadicCall("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle REPLACE =
      LibcCalls.plainIfAny("dup3", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle POLL = LibcCalls.intCall("poll", ADDRESS, JAVA_LONG, JAVA_INT);
  private static final MethodHandle STATUS =
      LibcCalls.intCallIfAny("statx", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);

  /** On Linux the one above is used, and an old C library has none of this name. */
  private static final MethodHandle PLAIN_STATUS =
      LibcCalls.intCallIfAny(statusName(), JAVA_INT, ADDRESS);

  private static final MethodHandle EVENT_COUNTER =
      LibcCalls.intCallIfAny("eventfd", JAVA_INT, JAVA_INT);
  private static final MethodHandle COUNT =
      LibcCalls.plainIfAny("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle RESET =
      LibcCalls.plainIfAny("eventfd_read", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle CLOSE =
      LibcCalls.plain("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle STRERROR =
      LibcCalls.plain("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

  /** On macOS the plain name is that of an older layout, where there was one. */
  private static String statusName() {
    boolean old =
        Platform.here() == Platform.MACOS && System.getProperty("os.arch", "").equals("x86_64");
    return old ? "fstat$INODE64" : "fstat";
  }

  static {
    close(-1); // the first call of a handle takes memory; this one is for no descriptor
  }

  /**
   * Closes a number. Never repeated: it is free even after a failure, which leaves nothing to do.
   * Takes no memory. Who has a {@link Descriptor} closes that.
   */
  public static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Reads into native memory, at the descriptor's own position. */
  public static int read(CallFrame frame, int fd, MemorySegment target, long length) {
    try {
      long n;
      do {
        n = (long) READ.invokeExact(frame.errno(), fd, target, length);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Writes from native memory, at the descriptor's own position. */
  public static int write(CallFrame frame, int fd, MemorySegment source, long length) {
    try {
      long n;
      do {
        n = (long) WRITE.invokeExact(frame.errno(), fd, source, length);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return (int) n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Reads into the first {@code count} vectors of the frame. */
  public static long readVectors(CallFrame frame, int fd, int count) {
    try {
      long n;
      do {
        n =
            (long)
                READ_VECTORS.invokeExact(frame.errno(), fd, frame.iovecs(), count, frame.vectors());
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Writes from the first {@code count} vectors of the frame. */
  public static long writeVectors(CallFrame frame, int fd, int count) {
    try {
      long n;
      do {
        n =
            (long)
                WRITE_VECTORS.invokeExact(
                    frame.errno(), fd, frame.iovecs(), count, frame.vectors());
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** A pipe, both ends blocking and not inherited by programs: the numbers go into {@code ends}. */
  public static int pipe(CallFrame frame, int[] ends) {
    try {
      int r = (int) PIPE.invokeExact(frame.errno(), frame.value(), PosixAbi.O_CLOEXEC);
      if (r < 0) {
        r = LibcCalls.failure(frame.errno());
        return r == -Errno.ENOSYS ? plainPipe(frame, ends) : r;
      }
      ends[0] = PosixAbi.intAt(frame.value(), 0);
      ends[1] = PosixAbi.intAt(frame.value(), 4);
      return r;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** As {@link #pipe}, where there is no call for all of it: a program started meanwhile has it. */
  static int plainPipe(CallFrame frame, int[] ends) {
    try {
      int r = (int) PLAIN_PIPE.invokeExact(frame.errno(), frame.value());
      if (r < 0) {
        return LibcCalls.failure(frame.errno());
      }
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
    ends[0] = PosixAbi.intAt(frame.value(), 0);
    ends[1] = PosixAbi.intAt(frame.value(), 4);
    int r = keepFromPrograms(frame, ends[0]);
    r = r < 0 ? r : keepFromPrograms(frame, ends[1]);
    if (r < 0) {
      close(ends[0]);
      close(ends[1]);
    }
    return r;
  }

  /** Programs that are started do not inherit it. */
  public static int keepFromPrograms(CallFrame frame, int fd) {
    return control(frame, fd, PosixAbi.F_SETFD, PosixAbi.FD_CLOEXEC);
  }

  /** No call on it waits. */
  public static int makeNonBlocking(CallFrame frame, int fd) {
    int flags = control(frame, fd, PosixAbi.F_GETFL, 0);
    return flags < 0 ? flags : control(frame, fd, PosixAbi.F_SETFL, flags | PosixAbi.O_NONBLOCK);
  }

  /** Opens {@code path}, which ends with a zero byte. */
  public static int open(CallFrame frame, MemorySegment path, int flags, int mode) {
    try {
      int fd;
      do {
        fd = (int) OPEN.invokeExact(frame.errno(), path, flags, mode);
        if (fd < 0) {
          fd = LibcCalls.failure(frame.errno());
        }
      } while (fd == -Errno.EINTR);
      return fd;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Lets {@code number} be what {@code with} is, and no longer what it was; whoever has the number
   * keeps it. Takes no memory.
   */
  public static void replace(int number, int with) {
    try {
      int ignored = (int) REPLACE.invokeExact(with, number, PosixAbi.O_CLOEXEC);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** {@code fcntl} with a number: see {@link PosixAbi#F_GETFL} and its like. */
  public static int control(CallFrame frame, int fd, int command, int argument) {
    try {
      int r = (int) CONTROL.invokeExact(frame.errno(), fd, command, argument);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Which of {@code events}, or of an error and a hang-up, are the case now; 0 if none. Never
   * waits.
   */
  public static int readiness(CallFrame frame, int fd, int events) {
    PosixAbi.setPoll(frame.value(), fd, events);
    try {
      int n;
      do {
        n = (int) POLL.invokeExact(frame.errno(), frame.value(), 1L, 0);
        if (n < 0) {
          n = LibcCalls.failure(frame.errno());
        }
      } while (n == -Errno.EINTR);
      return n <= 0 ? n : PosixAbi.pollAnswer(frame.value());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** The {@code S_IFMT} part of what {@code stat} says of an open descriptor. */
  public static int fileType(CallFrame frame, int fd) {
    try {
      MemorySegment status = frame.staging();
      int r =
          Platform.here().isBsd()
              ? (int) PLAIN_STATUS.invokeExact(frame.errno(), fd, status)
              : (int)
                  STATUS.invokeExact(
                      frame.errno(),
                      fd,
                      PosixAbi.EMPTY_PATH,
                      PosixAbi.AT_EMPTY_PATH,
                      PosixAbi.STATX_TYPE,
                      status);
      return r >= 0 ? PosixAbi.fileType(status) : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** A counter that wakes whoever waits for it to be readable. */
  public static int eventCounter(CallFrame frame) {
    int flags = PosixAbi.O_CLOEXEC | PosixAbi.O_NONBLOCK;
    try {
      int fd = (int) EVENT_COUNTER.invokeExact(frame.errno(), 0, flags);
      return fd >= 0 ? fd : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Adds one to a counter. It cannot fail but by overflow, and then the reader wakes anyway. */
  public static void count(int counter) {
    try {
      int ignored = (int) COUNT.invokeExact(counter, 1L);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Sets a counter to 0; {@code old}, of eight bytes, gets what it was. */
  public static void reset(int counter, MemorySegment old) {
    try {
      int ignored = (int) RESET.invokeExact(counter, old);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static String describe(int errno) {
    try {
      var text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
