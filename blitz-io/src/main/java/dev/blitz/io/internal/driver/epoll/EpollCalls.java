package dev.blitz.io.internal.driver.epoll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The system calls of epoll. Each answers what the kernel does, or {@code -errno}. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class EpollCalls {
  private EpollCalls() {}

  private static final MethodHandle CREATE = LibcCalls.intCall("epoll_create1", JAVA_INT);
  private static final MethodHandle CONTROL =
      LibcCalls.intCall("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle WAIT =
      LibcCalls.intCall("epoll_wait", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final boolean FINE = LibcCalls.has("epoll_pwait2");
  private static final MethodHandle WAIT_FINE =
      FINE
          ? LibcCalls.intCall("epoll_pwait2", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS)
          : WAIT;

  static int create(MemorySegment errno) {
    try {
      int fd = (int) CREATE.invokeExact(errno, EpollAbi.EPOLL_CLOEXEC);
      return fd >= 0 ? fd : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Watches {@code fd}; {@code data} comes with its events. */
  static int add(CallFrame frame, int epoll, int fd, int events, long data) {
    MemorySegment event = frame.value();
    EpollAbi.setEvent(event, events, data);
    try {
      int r = (int) CONTROL.invokeExact(frame.errno(), epoll, EpollAbi.EPOLL_CTL_ADD, fd, event);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Watches {@code fd} no more. */
  static int remove(CallFrame frame, int epoll, int fd) {
    try {
      int r =
          (int)
              CONTROL.invokeExact(
                  frame.errno(), epoll, EpollAbi.EPOLL_CTL_DEL, fd, MemorySegment.NULL);
      return r >= 0 ? r : LibcCalls.failure(frame.errno());
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Looks ({@code millis} 0), or waits until something happens (-1) or so many milliseconds. */
  static int waitMillis(MemorySegment errno, int epoll, MemorySegment events, int max, int millis) {
    try {
      int n = (int) WAIT.invokeExact(errno, epoll, events, max, millis);
      return n >= 0 ? n : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Whether {@link #waitFine} is there: kernel 5.11 and a C library that knows it. */
  static boolean isFine() {
    return FINE;
  }

  /** Waits with a limit in nanoseconds. */
  static int waitFine(
      MemorySegment errno, int epoll, MemorySegment events, int max, MemorySegment timespec) {
    try {
      int n = (int) WAIT_FINE.invokeExact(errno, epoll, events, max, timespec, MemorySegment.NULL);
      return n >= 0 ? n : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
