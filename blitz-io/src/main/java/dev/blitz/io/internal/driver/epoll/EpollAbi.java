package dev.blitz.io.internal.driver.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Layouts and numbers of {@code <sys/epoll.h>}. */
final class EpollAbi {
  private EpollAbi() {}

  static final int EPOLL_CLOEXEC = 0x80000;
  static final int EPOLL_CTL_ADD = 1;
  static final int EPOLL_CTL_DEL = 2;

  static final int EPOLLIN = 0x1;
  static final int EPOLLET = 1 << 31;

  /** {@code struct epoll_event} is packed on x86-64 and nowhere else. */
  private static final boolean PACKED =
      System.getProperty("os.arch").equals("amd64")
          || System.getProperty("os.arch").equals("x86_64");

  private static final long DATA = PACKED ? 4 : 8;

  static final long EVENT_BYTES = DATA + 8;

  static MemorySegment allocateEvents(Arena arena, int count) {
    return arena.allocate(EVENT_BYTES * count, 8);
  }

  static int events(MemorySegment events, int index) {
    return events.get(JAVA_INT, index * EVENT_BYTES);
  }

  static long data(MemorySegment events, int index) {
    return events.get(JAVA_LONG_UNALIGNED, index * EVENT_BYTES + DATA);
  }

  static void setEvent(MemorySegment event, int events, long data) {
    event.set(JAVA_INT, 0, events);
    event.set(JAVA_LONG_UNALIGNED, DATA, data);
  }

  /** The 64-bit number 1. */
  static MemorySegment allocateOne(Arena arena) {
    return arena.allocateFrom(JAVA_LONG, 1L);
  }

  /** {@code struct timespec}: two 64-bit words. */
  static MemorySegment allocateTimespec(Arena arena) {
    return arena.allocate(16, 8);
  }

  static void setTimespec(MemorySegment timespec, long nanos) {
    timespec.set(JAVA_LONG, 0, nanos / 1_000_000_000);
    timespec.set(JAVA_LONG, 8, nanos % 1_000_000_000);
  }
}
