package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a {@link FrameWriter} has encoded and not sent. */
final class FrameOutput extends GuardedWriter {
  /** With so many bytes waiting, the next frame waits until all are sent. */
  private static final int ENOUGH = 8192;

  /** A larger array is not kept for the next frames. */
  private static final int LARGEST_KEPT = 8 * ENOUGH;

  private final ByteWriter below;
  private final GrowingBuffer buffer = new GrowingBuffer();
  private boolean ended;

  FrameOutput(ByteWriter below) {
    this.below = below;
  }

  /** Whether the next frame may be encoded. */
  boolean hasRoom(Context cx) throws IOException {
    if (ended) {
      throw new IOException("the output has been shut down");
    }
    return buffer.size() < ENOUGH || drain(cx);
  }

  /** All of {@code frame}, or nothing. */
  <F> void append(F frame, Encoder<? super F> encoder) throws IOException {
    int mark = buffer.mark();
    try {
      encoder.encode(frame, buffer);
    } catch (Throwable t) {
      buffer.back(mark);
      throw t;
    }
  }

  private boolean drain(Context cx) throws IOException {
    while (buffer.size() > 0) {
      int n = below.pollWrite(cx, buffer.waiting());
      if (n == PENDING) {
        return false;
      }
      if (n == 0) {
        throw new IOException(below + " has taken none of the bytes that were to be written");
      }
    }
    buffer.clear(LARGEST_KEPT);
    return true;
  }

  @Override
  int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!hasRoom(cx)) {
      return PENDING;
    }
    int n = source.remaining();
    buffer.put(source);
    return n;
  }

  @Override
  boolean doFlush(Context cx) throws IOException {
    return drain(cx) && below.pollFlush(cx);
  }

  @Override
  boolean doShutdown(Context cx) throws IOException {
    ended = true;
    return drain(cx) && below.pollShutdown(cx);
  }

  @Override
  public void forgetWrite() {
    below.forgetWrite();
  }

  @Override
  public String toString() {
    return buffer + " before " + below;
  }
}
