package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.ByteBuffer;

/** {@link ByteReader#take}: the end comes after a number of bytes at the latest. */
final class TakeReader implements ByteReader {
  private final ByteReader below;
  private long left;

  TakeReader(ByteReader below, long count) {
    if (count < 0) {
      throw new IllegalArgumentException("a negative count: " + count);
    }
    this.below = below;
    this.left = count;
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    if (left == 0 && target.hasRemaining()) {
      return EOF;
    }
    int limit = target.limit();
    StackRoom.forStep(); // the limit is the caller's, and is put back
    target.limit((int) Math.min(limit, target.position() + left));
    int n;
    try {
      n = below.pollRead(cx, target);
    } finally {
      target.limit(limit);
    }
    if (n > 0) {
      left -= n;
    }
    return n;
  }

  @Override
  public void forgetRead() {
    below.forgetRead();
  }

  @Override
  public String toString() {
    return "at most " + left + " bytes of " + below;
  }
}
