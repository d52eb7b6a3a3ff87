package dev.blitz.io.internal.driver.kqueue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Layouts and numbers of {@code <sys/event.h>} where pointers have 64 bits: all have the same
 * fields in front, and most numbers.
 */
enum KqueueAbi {
  /** On x86-64 and arm64. */
  MACOS(32, -10, true),
  /** Since release 12, which put four more words at the end. */
  FREEBSD(64, -11, true),
  /** On Linux, as a library. It does not see that a descriptor is closed. */
  LIBKQUEUE(32, -11, false);

  static final int EVFILT_READ = -1;
  static final int EVFILT_WRITE = -2;

  static final int EV_ADD = 0x1;
  static final int EV_DELETE = 0x2;
  static final int EV_CLEAR = 0x20;
  static final int EV_RECEIPT = 0x40;
  static final int EV_ERROR = 0x4000;
  static final int EV_EOF = 0x8000;

  static final int NOTE_TRIGGER = 0x1000000;

  private static final int FILTER = 8;
  private static final int FLAGS = 10;
  private static final int FILTER_FLAGS = 12;
  private static final int DATA = 16;
  private static final int USER_DATA = 24;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final int eventBytes;
  private final int userFilter;
  private final boolean forgetsClosed;

  KqueueAbi(int eventBytes, int userFilter, boolean forgetsClosed) {
    this.eventBytes = eventBytes;
    this.userFilter = userFilter;
    this.forgetsClosed = forgetsClosed;
  }

  /** That of {@code platform}, which has one. */
  static KqueueAbi of(Platform platform) {
    return switch (platform) {
      case MACOS -> MACOS;
      case FREEBSD -> FREEBSD;
      case LINUX, UNKNOWN -> LIBKQUEUE;
    };
  }

  /** Bytes of {@code struct kevent}. */
  int eventBytes() {
    return eventBytes;
  }

  /** {@code EVFILT_USER}: an event that a program brings about. */
  int userFilter() {
    return userFilter;
  }

  /** Whether a descriptor is not watched any more once it is closed, wherever else it is open. */
  boolean forgetsClosed() {
    return forgetsClosed;
  }

  MemorySegment allocate(Arena arena, int count) {
    return arena.allocate((long) eventBytes * count, 8);
  }

  /** Fills an entry; what is not named is zero. */
  void set(
      MemorySegment events, int index, long ident, int filter, int flags, int note, long data) {
    long at = (long) index * eventBytes;
    events.asSlice(at, eventBytes).fill((byte) 0);
    events.set(JAVA_LONG, at, ident);
    events.set(JAVA_SHORT, at + FILTER, (short) filter);
    events.set(JAVA_SHORT, at + FLAGS, (short) flags);
    events.set(JAVA_INT, at + FILTER_FLAGS, note);
    events.set(JAVA_LONG, at + USER_DATA, data);
  }

  long ident(MemorySegment events, int index) {
    return events.get(JAVA_LONG, (long) index * eventBytes);
  }

  int filter(MemorySegment events, int index) {
    return events.get(JAVA_SHORT, (long) index * eventBytes + FILTER);
  }

  int flags(MemorySegment events, int index) {
    return Short.toUnsignedInt(events.get(JAVA_SHORT, (long) index * eventBytes + FLAGS));
  }

  /** With an end of the stream: the error of the socket, or 0. */
  int note(MemorySegment events, int index) {
    return events.get(JAVA_INT, (long) index * eventBytes + FILTER_FLAGS);
  }

  /** With {@link #EV_ERROR}: what a change failed with, or 0. */
  long data(MemorySegment events, int index) {
    return events.get(JAVA_LONG, (long) index * eventBytes + DATA);
  }

  void setData(MemorySegment events, int index, long data) {
    events.set(JAVA_LONG, (long) index * eventBytes + DATA, data);
  }

  /** What the entry was added with. */
  long userData(MemorySegment events, int index) {
    return events.get(JAVA_LONG, (long) index * eventBytes + USER_DATA);
  }

  /** {@code struct timespec}: two 64-bit words. */
  static MemorySegment allocateTimespec(Arena arena) {
    return arena.allocate(16, 8);
  }

  static void setTimespec(MemorySegment timespec, long nanos) {
    timespec.set(JAVA_LONG, 0, nanos / NANOS_PER_SECOND);
    timespec.set(JAVA_LONG, 8, nanos % NANOS_PER_SECOND);
  }

  static long timespecNanos(MemorySegment timespec) {
    return timespec.get(JAVA_LONG, 0) * NANOS_PER_SECOND + timespec.get(JAVA_LONG, 8);
  }
}
