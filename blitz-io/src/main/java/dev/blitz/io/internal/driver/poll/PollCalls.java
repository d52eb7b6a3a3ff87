package dev.blitz.io.internal.driver.poll;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.blitz.io.internal.driver.posix.LibcCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** poll(2), with a limit in nanoseconds. */
@SuppressWarnings("restricted") // calling the kernel is the purpose of this class
final class PollCalls {
  private PollCalls() {}

  private static final MethodHandle POLL =
      LibcCalls.intCall("ppoll", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);

  /**
   * Waits until something is the case with the first {@code count} of {@code set}; {@code timespec}
   * null for no limit. How many of them, or {@code -errno}.
   */
  static int poll(MemorySegment errno, MemorySegment set, int count, MemorySegment timespec) {
    try {
      int n = (int) POLL.invokeExact(errno, set, (long) count, timespec, MemorySegment.NULL);
      return n >= 0 ? n : LibcCalls.failure(errno);
    } catch (Throwable t) {
      throw LibcCalls.rethrown(t);
    }
  }
}
