package dev.blitz.io.net;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Checks and bookkeeping for the callers' memory. */
final class Buffers {
  private Buffers() {}

  static ByteBuffer writable(ByteBuffer buffer) {
    Objects.requireNonNull(buffer, "target");
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("a read-only buffer cannot be read into: " + buffer);
    }
    return buffer;
  }

  static MemorySegment writable(MemorySegment segment) {
    Objects.requireNonNull(segment, "target");
    if (segment.isReadOnly()) {
      throw new IllegalArgumentException("a read-only segment cannot be read into: " + segment);
    }
    return segment;
  }

  /**
   * What remains in each buffer; empty ones are left out.
   *
   * @throws IllegalStateException if memory of one of them has been freed: before any is used
   * @throws WrongThreadException if it belongs to another thread
   */
  static MemorySegment[] segments(ByteBuffer[] buffers) {
    int count = 0;
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining()) {
        count++;
      }
    }
    var segments = new MemorySegment[count];
    int i = 0;
    for (ByteBuffer buffer : buffers) {
      if (buffer.hasRemaining()) {
        var segment = MemorySegment.ofBuffer(buffer);
        if (!segment.scope().isAlive()) {
          throw new IllegalStateException("the memory of a buffer has been freed: " + segment);
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
          throw new WrongThreadException(
              "the memory of a buffer belongs to another thread (a confined arena): " + segment);
        }
        segments[i++] = segment;
      }
    }
    return segments;
  }

  /** Moves the positions on by {@code bytes}, in order. */
  static void advance(ByteBuffer[] buffers, long bytes) {
    long left = bytes;
    for (ByteBuffer buffer : buffers) {
      if (left <= 0) {
        return;
      }
      int taken = (int) Math.min(left, buffer.remaining());
      buffer.position(buffer.position() + taken);
      left -= taken;
    }
  }
}
