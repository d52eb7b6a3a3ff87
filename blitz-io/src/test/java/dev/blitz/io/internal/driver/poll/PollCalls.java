package dev.blitz.io.internal.driver.poll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** poll(2), and an event counter. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class PollCalls {
  private static final int NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int POLLFD_BYTES = 8;

  private static final MethodHandle POLL =
      bind("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle EVENTFD =
      bind("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle EVENTFD_WRITE =
      bind("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle EVENTFD_READ =
      bind("eventfd_read", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  private static final MethodHandle CLOSE =
      bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private PollCalls() {}

  private static MethodHandle bind(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }

  static MemorySegment allocate(Arena arena, int count) {
    return arena.allocate((long) POLLFD_BYTES * count, 4);
  }

  static void ask(MemorySegment set, int index, int fd, int interest) {
    set.set(JAVA_INT, (long) index * POLLFD_BYTES, fd);
    set.set(JAVA_SHORT, (long) index * POLLFD_BYTES + 4, (short) interest);
  }

  static int fd(MemorySegment set, int index) {
    return set.get(JAVA_INT, (long) index * POLLFD_BYTES);
  }

  static int answer(MemorySegment set, int index) {
    return Short.toUnsignedInt(set.get(JAVA_SHORT, (long) index * POLLFD_BYTES + 6));
  }

  static void poll(MemorySegment set, int count, int millis) {
    try {
      int ignored = (int) POLL.invokeExact(set, (long) count, millis);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  static int eventCounter() {
    try {
      return (int) EVENTFD.invokeExact(0, NONBLOCK_CLOEXEC);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  static void count(int counter) {
    try {
      int ignored = (int) EVENTFD_WRITE.invokeExact(counter, 1L);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  static void reset(int counter) {
    try (var arena = Arena.ofConfined()) {
      int ignored = (int) EVENTFD_READ.invokeExact(counter, arena.allocate(8, 8));
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }

  static void close(int fd) {
    try {
      int ignored = (int) CLOSE.invokeExact(fd);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
