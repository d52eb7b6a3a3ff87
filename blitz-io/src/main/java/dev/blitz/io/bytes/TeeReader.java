package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * {@link ByteReader#tee}: what is read has been written elsewhere before. Bytes stay in the buffer
 * until both are done, so nothing is lost or written twice, wherever a read is dropped.
 */
final class TeeReader implements ByteReader {
  private final BufferedByteReader in;
  private final ByteWriter copy;

  /** Of the buffered bytes, how many have been written and not given out. */
  private int ahead;

  private boolean unflushed;

  TeeReader(ByteReader below, ByteWriter copy) {
    this.in = BufferedByteReader.of(below);
    this.copy = Objects.requireNonNull(copy, "copy");
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return in.pollRead(cx, target);
    }
    if (ahead == 0) {
      int n = in.pollFill(cx, 1);
      if (n < 0) {
        unflushed = unflushed && !copy.pollFlush(cx);
        return unflushed ? PENDING : n;
      }
      ByteBuffer bytes = in.buffered().asReadOnlyBuffer();
      int written =
          copy.pollWrite(cx, bytes.limit(bytes.position() + Math.min(n, target.remaining())));
      if (written == PENDING) {
        return PENDING;
      }
      unflushed = true;
      ahead = written;
    }
    ByteBuffer bytes = in.buffered();
    int n = Buffers.move(bytes.limit(bytes.position() + ahead), target);
    ahead -= n;
    return n;
  }

  @Override
  public void forgetRead() {
    in.forgetRead();
    copy.forgetWrite();
  }

  @Override
  public String toString() {
    return in + ", copied to " + copy;
  }
}
