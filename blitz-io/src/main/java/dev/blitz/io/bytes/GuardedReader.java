package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What {@link GuardedStream} is for streams, for readers that are more than a view of another. */
abstract class GuardedReader implements ByteReader {
  final Side reading = Side.ofReading();

  /** See {@link #pollRead}; the caller has the side. */
  abstract int doRead(Context cx, ByteBuffer target) throws IOException;

  @Override
  public final int pollRead(Context cx, ByteBuffer target) throws IOException {
    reading.claim(target);
    try {
      return doRead(cx, Buffers.writable(target));
    } finally {
      reading.release();
    }
  }

  @Override
  public final int tryRead(ByteBuffer target) throws IOException {
    reading.claim(target);
    try {
      int n = doRead(Buffers.NOBODY, Buffers.writable(target));
      if (n == PENDING) {
        forgetRead(); // while the side is ours: afterwards it may be another's waker
      }
      return n;
    } finally {
      reading.release();
    }
  }
}
