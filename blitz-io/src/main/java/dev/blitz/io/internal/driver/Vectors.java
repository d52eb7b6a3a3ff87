package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Context;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Several buffers for one system call. */
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
