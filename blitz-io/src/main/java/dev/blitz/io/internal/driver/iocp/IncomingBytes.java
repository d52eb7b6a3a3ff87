package dev.blitz.io.internal.driver.iocp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What has been received and not been read: memory of our own, as a pending operation must not hold
 * a user's. Only for the reading side; the part that a pending read fills is left alone meanwhile.
 */
final class IncomingBytes {
  private static final int SMALLEST = 256;

  /** What a connection keeps though there is nothing in it. */
  private static final int KEPT = 2048;

  private static final int SIZES = 32;
  private static final int THREADS = 8;
  private static final AtomicReferenceArray<@Nullable ByteBuffer> SPARE =
      new AtomicReferenceArray<>(SIZES * THREADS);

  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  private ByteBuffer memory = NONE;
  private int head;
  private int tail;

  /** A power of two that is at least {@code bytes}, so that memory is not made anew each time. */
  static int capacityFor(int bytes) {
    return bytes <= SMALLEST ? SMALLEST : Integer.highestOneBit(bytes - 1) << 1;
  }

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
      ByteBuffer larger = memoryOf(capacityFor(size + room));
      larger.put(0, memory, head, size);
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
    ByteBuffer spare = memory;
    if (spare.capacity() > KEPT) {
      memory = NONE;
      head = 0;
      tail = 0;
      SPARE.setRelease(place(spare.capacity()), spare);
    }
  }

  /** One place for each size and some of the threads; who finds it empty makes a new one. */
  private static int place(int capacity) {
    int size = Integer.numberOfTrailingZeros(capacity) & (SIZES - 1);
    return size * THREADS + ((int) Thread.currentThread().threadId() & (THREADS - 1));
  }

  private static ByteBuffer memoryOf(int capacity) {
    ByteBuffer spare = capacity > KEPT ? SPARE.getAndSet(place(capacity), null) : null;
    return spare != null && spare.capacity() == capacity
        ? spare
        : ByteBuffer.allocateDirect(capacity);
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
