package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What {@link GuardedStream} is for streams, for writers that are more than a view of another. */
abstract class GuardedWriter implements ByteWriter {
  final Side writing = Side.ofWriting();

  /** See {@link #pollWrite}; the caller has the side. */
  abstract int doWrite(Context cx, ByteBuffer source) throws IOException;

  /** See {@link #pollFlush}. */
  abstract boolean doFlush(Context cx) throws IOException;

  /** See {@link #pollShutdown}. */
  abstract boolean doShutdown(Context cx) throws IOException;

  @Override
  public final int pollWrite(Context cx, ByteBuffer source) throws IOException {
    writing.claim(source);
    try {
      return doWrite(cx, source);
    } finally {
      writing.release();
    }
  }

  @Override
  public final int tryWrite(ByteBuffer source) throws IOException {
    writing.claim(source);
    try {
      int n = doWrite(Buffers.NOBODY, source);
      if (n == PENDING) {
        forgetWrite(); // while the side is ours: afterwards it may be another's waker
      }
      return n;
    } finally {
      writing.release();
    }
  }

  @Override
  public final boolean pollFlush(Context cx) throws IOException {
    writing.claim(cx);
    try {
      return doFlush(cx);
    } finally {
      writing.release();
    }
  }

  @Override
  public final boolean pollShutdown(Context cx) throws IOException {
    writing.claim(cx);
    try {
      return doShutdown(cx);
    } finally {
      writing.release();
    }
  }
}
