package dev.blitz.io.net.tls;

import dev.blitz.io.internal.base.SpinLock;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of one size that connections use only while bytes are on their way. On the heap: the
 * engine works on arrays. Thread safe.
 */
final class RecordBuffers {
  /** In place of a buffer, where there is none. */
  static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final int bytes;
  private final SpinLock lock = new SpinLock();
  private final @Nullable ByteBuffer[] spare;
  private int count;

  RecordBuffers(int bytes, int spares) {
    this.bytes = bytes;
    this.spare = new ByteBuffer[spares];
  }

  /** An empty one: its limit is 0. */
  ByteBuffer take() {
    ByteBuffer taken = null;
    lock.lock();
    try {
      if (count > 0) {
        taken = spare[--count];
        spare[count] = null;
      }
    } finally {
      lock.unlock();
    }
    return (taken != null ? taken : ByteBuffer.allocate(bytes)).clear().limit(0);
  }

  /** Takes back what {@link #take} gave; others, smaller or larger ones, are left to the GC. */
  void give(ByteBuffer buffer) {
    if (buffer.capacity() != bytes) {
      return;
    }
    lock.lock();
    try {
      if (count < spare.length) {
        spare[count++] = buffer;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether {@code buffer} is of the size of these. */
  boolean isOne(ByteBuffer buffer) {
    return buffer.capacity() == bytes;
  }

  /** How many are kept now; for tests. */
  int spares() {
    lock.lock();
    try {
      return count;
    } finally {
      lock.unlock();
    }
  }
}
