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
 *
 * <p>Failures come back as {@code -errno}. Addresses travel as plain numbers: a segment of a shared
 * arena would be locked and unlocked around each call.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class UringCalls {
  private UringCalls() {}

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option CAPTURE_ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(PathElement.groupElement("errno")).withInvokeExactBehavior();

  /** Enough for any thread's errno; a call writes it only to be read by the same thread. */
  private static final ThreadLocal<MemorySegment> STATE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(CALL_STATE));

  private static final MethodHandle SETUP =
      syscall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS));
  private static final MethodHandle ENTER =
      syscall(
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle REGISTER =
      syscall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));
  private static final MethodHandle MEMBARRIER =
      syscall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle MMAP =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("mmap"),
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
          CAPTURE_ERRNO);
  private static final MethodHandle MUNMAP =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("munmap"),
          FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle CLOSE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  private static final MethodHandle EVENTFD =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("eventfd"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT),
          CAPTURE_ERRNO);
  private static final MethodHandle EVENTFD_WRITE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("eventfd_write"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle SOCKETPAIR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("socketpair"),
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS),
          CAPTURE_ERRNO);
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

  private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;
  private static final int AF_UNIX = 1;
  private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;

  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  /** Maps the pages at once, so that the first submissions do not fault them in. */
  private static final int MAP_POPULATE = 0x8000;

  private static MethodHandle syscall(FunctionDescriptor shape) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow("syscall"),
        shape,
        CAPTURE_ERRNO,
        Linker.Option.firstVariadicArg(1));
  }

  /** Where {@link #enter} may leave errno; its memory belongs to {@code arena}. */
  static MemorySegment callState(Arena arena) {
    MemorySegment owned = arena.allocate(CALL_STATE);
    return MemorySegment.ofAddress(owned.address()).reinterpret(CALL_STATE.byteSize());
  }

  /**
   * Makes a ring of {@code entries} and fills {@code params}.
   *
   * @return the ring's descriptor, or {@code -errno}
   */
  static int setup(int entries, MemorySegment params) {
    MemorySegment state = STATE.get();
    try {
      long fd = (long) SETUP.invokeExact(state, UringAbi.SYS_IO_URING_SETUP, entries, params);
      return fd >= 0 ? (int) fd : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /**
   * Submits, waits, or both. May block.
   *
   * @param state from {@link #callState}; used by one thread at a time
   * @return the number of entries the kernel took, or {@code -errno}
   */
  static int enter(
      MemorySegment state,
      int fd,
      int submit,
      int complete,
      int flags,
      long argument,
      long argumentSize) {
    try {
      long taken =
          (long)
              ENTER.invokeExact(
                  state,
                  UringAbi.SYS_IO_URING_ENTER,
                  fd,
                  submit,
                  complete,
                  flags,
                  argument,
                  argumentSize);
      return taken >= 0 ? (int) taken : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  static int register(int fd, int what, MemorySegment argument, int count) {
    MemorySegment state = STATE.get();
    try {
      long result =
          (long)
              REGISTER.invokeExact(
                  state, UringAbi.SYS_IO_URING_REGISTER, fd, what, argument.address(), count);
      return result >= 0 ? (int) result : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Whether {@link #kick} is to be had; it is asked for by this. */
  static boolean enableKick() {
    return UringAbi.SYS_MEMBARRIER >= 0
        && membarrier(UringAbi.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED) == 0;
  }

  /**
   * Interrupts every processor that runs a thread of this process, so that those threads pass
   * through the kernel. Takes microseconds; meant for memory ordering, which is no matter here.
   */
  static void kick() {
    membarrier(UringAbi.MEMBARRIER_PRIVATE_EXPEDITED);
  }

  private static int membarrier(int command) {
    MemorySegment state = STATE.get();
    try {
      long result = (long) MEMBARRIER.invokeExact(state, UringAbi.SYS_MEMBARRIER, command, 0, 0);
      return result >= 0 ? (int) result : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Maps part of a ring's descriptor; unmapped when the arena closes. */
  static MemorySegment map(int fd, long offset, long bytes, Arena arena) {
    return map(bytes, MAP_SHARED | MAP_POPULATE, fd, offset, arena);
  }

  /** Page-aligned zeroed memory, given back when the arena closes. */
  static MemorySegment pages(long bytes, Arena arena) {
    return map(bytes, MAP_PRIVATE_ANONYMOUS, -1, 0, arena);
  }

  private static MemorySegment map(long bytes, int flags, int fd, long offset, Arena arena) {
    MemorySegment state = STATE.get();
    try {
      long address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, flags, fd, offset);
      if (address == -1) {
        throw new UringException("mmap of " + bytes + " bytes", (int) ERRNO.get(state, 0L));
      }
      return MemorySegment.ofAddress(address)
          .reinterpret(bytes, arena, mapped -> unmap(mapped.address(), bytes));
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  private static void unmap(long address, long bytes) {
    try {
      int ignored = (int) MUNMAP.invokeExact(address, bytes);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** A counter to wake a ring with; the descriptor or {@code -errno}. */
  static int eventCounter() {
    MemorySegment state = STATE.get();
    try {
      int fd = (int) EVENTFD.invokeExact(state, 0, EFD_CLOEXEC_NONBLOCK);
      return fd >= 0 ? fd : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Adds one to a counter. It cannot fail but by overflow, and then the reader wakes anyway. */
  static void signal(int counter) {
    try {
      int ignored = (int) EVENTFD_WRITE.invokeExact(counter, 1L);
    } catch (Throwable t) {
      throw rethrown(t);
    }
  }

  /** Two connected local sockets, written to {@code pair} as two ints; 0 or {@code -errno}. */
  static int socketPair(MemorySegment pair) {
    MemorySegment state = STATE.get();
    try {
      int result = (int) SOCKETPAIR.invokeExact(state, AF_UNIX, SOCK_STREAM_CLOEXEC, 0, pair);
      return result == 0 ? 0 : -(int) ERRNO.get(state, 0L);
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
