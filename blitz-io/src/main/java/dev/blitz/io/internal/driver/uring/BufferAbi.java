package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * {@code struct io_uring_buf}, of which a provided-buffer ring is an array. The ring's tail lies
 * over the reserved field of the first entry, so an entry is written without that field.
 */
final class BufferAbi {
  private BufferAbi() {}

  static final MemoryLayout LAYOUT =
      structLayout(
          JAVA_LONG.withName("addr"),
          JAVA_INT.withName("len"),
          JAVA_SHORT.withName("bid"),
          JAVA_SHORT.withName("resv"));

  static final long BYTES = 16;

  /** The kernel's limit. */
  static final int MAX_ENTRIES = 1 << 15;

  static final long TAIL = 14;

  static void write(MemorySegment ring, long at, long address, int length, int id) {
    ring.set(JAVA_LONG, at, address);
    ring.set(JAVA_INT, at + 8, length);
    ring.set(JAVA_SHORT, at + 12, (short) id);
  }
}
