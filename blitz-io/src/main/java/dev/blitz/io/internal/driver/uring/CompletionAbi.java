package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/** {@code struct io_uring_cqe}: its layout and its readers. */
final class CompletionAbi {
  private CompletionAbi() {}

  static final MemoryLayout LAYOUT =
      structLayout(
          JAVA_LONG.withName("user_data"), JAVA_INT.withName("res"), JAVA_INT.withName("flags"));

  static final long BYTES = 16;

  /** The upper 16 bits of the flags are a buffer's number. */
  static final int FLAG_BUFFER = 1;

  /** The operation goes on: there will be more completions with this user data. */
  static final int FLAG_MORE = 1 << 1;

  private static final int BUFFER_SHIFT = 16;

  static long userData(MemorySegment ring, long at) {
    return ring.get(JAVA_LONG, at);
  }

  static int result(MemorySegment ring, long at) {
    return ring.get(JAVA_INT, at + 8);
  }

  static int flags(MemorySegment ring, long at) {
    return ring.get(JAVA_INT, at + 12);
  }

  static boolean isLast(int flags) {
    return (flags & FLAG_MORE) == 0;
  }

  static boolean hasBuffer(int flags) {
    return (flags & FLAG_BUFFER) != 0;
  }

  static int buffer(int flags) {
    return flags >>> BUFFER_SHIFT;
  }
}
