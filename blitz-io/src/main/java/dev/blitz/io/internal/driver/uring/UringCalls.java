package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The system calls of io_uring, through libc's {@code syscall}. errno is read only after a failure.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class UringCalls {
  private UringCalls() {}

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  private static final MethodHandle SETUP =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("syscall"),
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS),
          CAPTURE_ERRNO,
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

  /**
   * Makes a ring of {@code entries} and fills {@code params}.
   *
   * @return the ring's descriptor, or {@code -errno}
   */
  static int setup(int entries, MemorySegment params) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(CALL_STATE);
      long fd = (long) SETUP.invokeExact(state, UringAbi.SYS_IO_URING_SETUP, entries, params);
      return fd >= 0 ? (int) fd : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static String describe(int errno) {
    try {
      var text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0) + " (errno " + errno + ")";
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
