package dev.blitz.io.internal.driver.poll;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** {@code struct pollfd}, many of them, and {@code struct timespec}. */
final class PollAbi {
  private PollAbi() {}

  static final int POLLFD_BYTES = 8;
  private static final int EVENTS = 4;
  private static final int ANSWER = 6;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  static MemorySegment allocateSet(int count) {
    return Arena.ofAuto().allocate((long) POLLFD_BYTES * count, 8);
  }

  static void ask(MemorySegment set, int index, int fd, int interest) {
    long at = (long) index * POLLFD_BYTES;
    set.set(JAVA_INT, at, fd);
    set.set(JAVA_SHORT, at + EVENTS, (short) interest);
    set.set(JAVA_SHORT, at + ANSWER, (short) 0);
  }

  static int answer(MemorySegment set, int index) {
    return Short.toUnsignedInt(set.get(JAVA_SHORT, (long) index * POLLFD_BYTES + ANSWER));
  }

  static MemorySegment allocateTimespec(Arena arena) {
    return arena.allocate(16, 8);
  }

  static void setTimespec(MemorySegment timespec, long nanos) {
    timespec.set(JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
    timespec.set(JAVA_LONG, 8, nanos % NANOS_PER_SECOND);
  }
}
