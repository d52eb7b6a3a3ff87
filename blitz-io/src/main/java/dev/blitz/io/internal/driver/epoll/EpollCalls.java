package dev.blitz.io.internal.driver.epoll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The system calls of epoll and eventfd. Each answers what the kernel does, or {@code -errno}. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class EpollCalls {
  private EpollCalls() {}

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  private static final MethodHandle CREATE = bind("epoll_create1", JAVA_INT);
  private static final MethodHandle CONTROL =
      bind("epoll_ctl", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
  private static final MethodHandle WAIT =
      bind("epoll_wait", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
  private static final boolean FINE = LINKER.defaultLookup().find("epoll_pwait2").isPresent();
  private static final MethodHandle WAIT_FINE =
      FINE ? bind("epoll_pwait2", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS) : WAIT;
  private static final MethodHandle EVENT_COUNTER = bind("eventfd", JAVA_INT, JAVA_INT);
  private static final MethodHandle WRITE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("write"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
  private static final MethodHandle READ =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("read"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));

  private static MethodHandle bind(String name, MemoryLayout... parameters) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, parameters),
        CAPTURE_ERRNO);
  }

  static MemorySegment allocateErrno(Arena arena) {
    return arena.allocate(CALL_STATE);
  }

  private static int failure(MemorySegment errno) {
    return -(int) ERRNO.get(errno, 0L);
  }

  static int create(MemorySegment errno) {
    try {
      int fd = (int) CREATE.invokeExact(errno, EpollAbi.EPOLL_CLOEXEC);
      return fd >= 0 ? fd : failure(errno);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int add(MemorySegment errno, int epoll, int fd, MemorySegment event) {
    try {
      int r = (int) CONTROL.invokeExact(errno, epoll, EpollAbi.EPOLL_CTL_ADD, fd, event);
      return r >= 0 ? r : failure(errno);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Looks ({@code millis} 0), or waits until something happens (-1) or so many milliseconds. */
  static int waitMillis(MemorySegment errno, int epoll, MemorySegment events, int max, int millis) {
    try {
      int n = (int) WAIT.invokeExact(errno, epoll, events, max, millis);
      return n >= 0 ? n : failure(errno);
    } catch (Throwable t) {
      throw rethrown(t);
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
      return n >= 0 ? n : failure(errno);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int eventCounter(MemorySegment errno) {
    try {
      int fd =
          (int) EVENT_COUNTER.invokeExact(errno, 0, EpollAbi.EFD_NONBLOCK | EpollAbi.EFD_CLOEXEC);
      return fd >= 0 ? fd : failure(errno);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Adds the 64-bit number at {@code one} to an event counter. */
  static void count(int fd, MemorySegment one) {
    try {
      long ignored = (long) WRITE.invokeExact(fd, one, 8L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Sets an event counter to 0; {@code old} gets what it was. */
  static void reset(int fd, MemorySegment old) {
    try {
      long ignored = (long) READ.invokeExact(fd, old, 8L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** A downcall declares Throwable but throws nothing checked. */
  private static RuntimeException rethrown(Throwable t) {
    switch (t) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError("a downcall threw a checked exception", t);
    }
  }
}
