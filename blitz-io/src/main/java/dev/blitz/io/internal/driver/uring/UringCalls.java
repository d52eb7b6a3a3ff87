package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.internal.driver.CountedArena;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The system calls of io_uring, through libc's {@code syscall}. errno is read only after a failure.
 *
 * <p>Failures come back as {@code -errno}. Addresses travel as plain numbers: a segment of a shared
 * arena would be locked and unlocked around each call.
 */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class UringCalls {
  private UringCalls() {}

  /** Enough for any thread's errno; a call writes it only to be read by the same thread. */
  private static final ThreadLocal<MemorySegment> STATE =
      ThreadLocal.withInitial(() -> LibcCalls.allocateErrno(Arena.ofAuto()));

  private static final MethodHandle SETUP = LibcCalls.systemCall(JAVA_INT, ADDRESS);
  private static final MethodHandle ENTER =
      LibcCalls.systemCall(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle REGISTER =
      LibcCalls.systemCall(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle MMAP =
      LibcCalls.longCall("mmap", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);

  // Without errno, for which the linker takes memory now and then.

  private static final MethodHandle TRY_ENTER =
      LibcCalls.plainSystemCall(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle KICK = LibcCalls.plainSystemCall(JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle MMAP_FIXED =
      LibcCalls.plain(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MUNMAP =
      LibcCalls.plain("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_SHARED = 1;
  private static final int MAP_FIXED = 0x10;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  /** Maps the pages at once, so that the first submissions do not fault them in. */
  private static final int MAP_POPULATE = 0x8000;

  /**
   * Makes a ring of {@code entries} and fills {@code params}.
   *
   * @return the ring's descriptor, or {@code -errno}
   */
  static int setup(int entries, MemorySegment params) {
    MemorySegment state = STATE.get();
    try {
      long fd = (long) SETUP.invokeExact(state, UringAbi.SYS_IO_URING_SETUP, entries, params);
      return fd >= 0 ? (int) fd : LibcCalls.failure(state);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Submits, waits, or both. May block.
   *
   * @param state from {@link LibcCalls#allocateUnlockedErrno}; used by one thread at a time
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
      return taken >= 0 ? (int) taken : LibcCalls.failure(state);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * As {@link #enter} without waiting, and takes no memory.
   *
   * @return false if it was refused, for which there is no reason
   */
  static boolean tryEnter(int fd, int submit, int flags) {
    try {
      long taken =
          (long) TRY_ENTER.invokeExact(UringAbi.SYS_IO_URING_ENTER, fd, submit, 0, flags, 0L, 0L);
      return taken >= 0;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  static int register(int fd, int what, MemorySegment argument, int count) {
    MemorySegment state = STATE.get();
    try {
      long result =
          (long)
              REGISTER.invokeExact(
                  state, UringAbi.SYS_IO_URING_REGISTER, fd, what, argument.address(), count);
      return result >= 0 ? (int) result : LibcCalls.failure(state);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Whether {@link #kick} is to be had; it is asked for by this. */
  static boolean enableKick() {
    int command = UringAbi.MEMBARRIER_REGISTER_PRIVATE_EXPEDITED;
    try {
      return UringAbi.SYS_MEMBARRIER >= 0
          && (long) KICK.invokeExact(UringAbi.SYS_MEMBARRIER, command, 0, 0) == 0;
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /**
   * Interrupts every processor that runs a thread of this process, so that those threads pass
   * through the kernel. Takes microseconds; meant for memory ordering, which is no matter here.
   */
  static void kick() {
    try {
      long ignored =
          (long)
              KICK.invokeExact(
                  UringAbi.SYS_MEMBARRIER, UringAbi.MEMBARRIER_PRIVATE_EXPEDITED, 0, 0);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Maps part of a ring's descriptor; unmapped when the arena closes. */
  static MemorySegment map(int fd, long offset, long bytes, CountedArena arena) {
    return map(bytes, MAP_SHARED | MAP_POPULATE, fd, offset, arena);
  }

  /** Page-aligned zeroed memory, given back when the arena closes. */
  static MemorySegment pages(long bytes, CountedArena arena) {
    return map(bytes, MAP_PRIVATE_ANONYMOUS, -1, 0, arena);
  }

  private static MemorySegment map(long bytes, int flags, int fd, long offset, CountedArena arena) {
    var mapping = new Mapping(bytes);
    arena.afterClose(mapping); // first: what follows may find no memory
    MemorySegment state = STATE.get();
    try {
      long address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, flags, fd, offset);
      if (address == -1) {
        throw new UringException("mmap of " + bytes + " bytes", -LibcCalls.failure(state));
      }
      mapping.address = address;
      return MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  /** Unmaps what has been mapped. */
  private static final class Mapping implements Runnable {
    private final long bytes;
    private long address;

    Mapping(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public void run() {
      if (address != 0) {
        unmap(address, bytes);
      }
    }
  }

  /** Puts plain zeroed pages in the place of a mapping, which is gone. */
  static void unmapInPlace(MemorySegment mapped) {
    try {
      long ignored =
          (long)
              MMAP_FIXED.invokeExact(
                  mapped.address(),
                  mapped.byteSize(),
                  PROT_READ_WRITE,
                  MAP_PRIVATE_ANONYMOUS | MAP_FIXED,
                  -1,
                  0L);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }

  private static void unmap(long address, long bytes) {
    try {
      int ignored = (int) MUNMAP.invokeExact(address, bytes);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
