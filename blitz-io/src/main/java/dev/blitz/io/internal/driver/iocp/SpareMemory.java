package dev.blitz.io.internal.driver.iocp;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a connection has no use for just now: it waits for the next one, of any connection,
 * that needs as much. A connection that is idle keeps little.
 */
/* Implementation notes
 *
 * One place for each size and some of the threads. A place is filled by a release and emptied by a getAndSet, so what was done
 * with the memory before has happened for whoever takes it. Who finds the place empty makes new memory, who finds it full leaves the
 * older one to the garbage collector.
 *
 * Nobody may give away what an operation of the system's may still write to, or read: it would be another connection's by then.
 */
final class SpareMemory {
  private SpareMemory() {}

  private static final int SMALLEST = 256;

  /** What a connection keeps though there is nothing in it; larger memory is worth a hand-over. */
  static final int KEPT = 2048;

  /** No memory. */
  static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  private static final int SIZES = 32;
  private static final int THREADS = 8;
  private static final AtomicReferenceArray<@Nullable ByteBuffer> PLACES =
      new AtomicReferenceArray<>(SIZES * THREADS);

  /** A power of two that is at least {@code bytes}, so that memory is not made anew each time. */
  static int capacityFor(int bytes) {
    return bytes <= SMALLEST ? SMALLEST : Integer.highestOneBit(bytes - 1) << 1;
  }

  /** Memory for {@code bytes}, with whatever is in it. */
  static ByteBuffer take(int bytes) {
    int capacity = capacityFor(bytes);
    ByteBuffer spare = capacity > KEPT ? PLACES.getAndSet(place(capacity), null) : null;
    return spare != null ? spare.clear() : ByteBuffer.allocateDirect(capacity);
  }

  /**
   * Gives {@code memory} away if it is large; nobody else may have it.
   *
   * @return what its owner has after that
   */
  static ByteBuffer give(ByteBuffer memory) {
    if (memory.capacity() <= KEPT) {
      return memory;
    }
    PLACES.setRelease(place(memory.capacity()), memory);
    return NONE;
  }

  private static int place(int capacity) {
    int size = Integer.numberOfTrailingZeros(capacity);
    return size * THREADS + ((int) Thread.currentThread().threadId() & (THREADS - 1));
  }
}
