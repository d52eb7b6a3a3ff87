package dev.blitz.io.internal.driver.iocp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * What has been received and not been read: memory of our own, as a pending operation must not hold
 * a user's. Only for the reading side; the part that a pending read fills is left alone meanwhile.
 */
final class IncomingBytes {
  private ByteBuffer memory = SpareMemory.NONE;
  private int head;
  private int tail;

  /** How many bytes can be read. */
  int size() {
    return tail - head;
  }

  /** Room for up to {@code wanted} more, which the next {@link #received} makes readable. */
  ByteBuffer room(int wanted) {
    int size = size();
    if (size == 0) {
      head = 0;
      tail = 0;
    }
    int room = Math.min(wanted, IocpTuning.MOST_IN);
    if (memory.capacity() - tail < room) {
      ByteBuffer larger = SpareMemory.take(size + room);
      larger.put(0, memory, head, size);
      SpareMemory.give(memory);
      memory = larger;
      head = 0;
      tail = size;
    }
    return memory.slice(tail, room);
  }

  /**
   * All has been read, and no read is pending: who has nothing to read, or has ended, keeps no
   * large memory. It waits for the next read of anybody.
   */
  void rest() {
    ByteBuffer left = SpareMemory.give(memory);
    if (left != memory) {
      memory = left;
      head = 0;
      tail = 0;
    }
  }

  void received(int bytes) {
    tail += bytes;
  }

  /** Copies as much as is there and fits; it stays to be read if {@code peek}. */
  long copyTo(MemorySegment[] targets, boolean peek) {
    MemorySegment source = MemorySegment.ofBuffer(memory.slice(head, size()));
    long copied = 0;
    for (MemorySegment target : targets) {
      long n = Math.min(target.byteSize(), source.byteSize() - copied);
      MemorySegment.copy(source, copied, target, 0, n);
      copied += n;
    }
    if (!peek) {
      head += (int) copied;
    }
    return copied;
  }
}
