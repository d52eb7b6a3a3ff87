package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Context;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The buffers of a system call: what it is given of them, and what it has moved. */
public final class Vectors {
  private Vectors() {}

  /**
   * What remains in each buffer; empty ones are left out.
   *
   * @throws IllegalStateException if memory of one of them has been freed: before any is used
   * @throws WrongThreadException if it belongs to another thread
   */
  public static MemorySegment[] segments(ByteBuffer[] buffers) {
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
          throw new WrongThreadException("a buffer of another thread: " + segment);
        }
        segments[i++] = segment;
      }
    }
    return segments;
  }

  /** After a try that moved {@code n} bytes, or none: says that. */
  public static int tried(ByteBuffer buffer, int n) {
    if (n > 0) {
      buffer.position(buffer.position() + n);
    }
    return n;
  }

  /** As {@link #tried}, after a poll: if it is pending the budget gets its unit back. */
  public static int moved(Context cx, ByteBuffer buffer, int n) {
    if (n == StreamEndpoint.PENDING) {
      cx.refund();
    }
    return tried(buffer, n);
  }

  /** After a call that moved {@code bytes}, or said that it is pending. */
  public static void moved(Context cx, ByteBuffer[] buffers, long bytes) {
    if (bytes == StreamEndpoint.PENDING) {
      cx.refund();
      return;
    }
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
