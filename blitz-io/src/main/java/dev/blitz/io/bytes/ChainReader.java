package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** {@link ByteReader#chain}: all of one, then all of another. */
final class ChainReader implements ByteReader {
  private final ByteReader first;
  private final ByteReader second;
  private boolean firstEnded;

  ChainReader(ByteReader first, ByteReader second) {
    this.first = first;
    this.second = Objects.requireNonNull(second, "next");
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    if (!firstEnded) {
      int n = first.pollRead(cx, target);
      if (n != EOF) {
        return n;
      }
      firstEnded = true;
    }
    return second.pollRead(cx, target);
  }

  @Override
  public void forgetRead() {
    (firstEnded ? second : first).forgetRead();
  }

  @Override
  public String toString() {
    return firstEnded ? second.toString() : first + ", then " + second;
  }
}
