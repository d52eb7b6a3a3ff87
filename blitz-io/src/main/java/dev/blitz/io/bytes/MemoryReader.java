package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.nio.ByteBuffer;

/** Reads what a buffer has. */
final class MemoryReader extends GuardedReader {
  private final ByteBuffer bytes;

  MemoryReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  @Override
  int doRead(Context cx, ByteBuffer target) {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (!bytes.hasRemaining()) {
      return EOF;
    }
    return cx.proceed() ? Buffers.move(bytes, target) : PENDING;
  }

  @Override
  public void forgetRead() {}

  @Override
  public String toString() {
    return bytes.remaining() + " bytes in memory";
  }
}
