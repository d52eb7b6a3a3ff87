package dev.blitz.io.process;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.TooLongException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** All bytes of an output of a child, up to a limit. */
final class ReadAll implements IoFuture<byte[]> {
  private static final int FIRST = 8192;

  private final ByteReader from;
  private final int limit;
  private final String what;
  private ByteBuffer bytes;

  private ReadAll(ByteReader from, int limit, String what) {
    this.from = from;
    this.limit = limit;
    this.what = what;
    this.bytes = ByteBuffer.allocate(FIRST);
  }

  /** {@code from}: null if it is no pipe. */
  static IoFuture<byte[]> of(@Nullable ByteReader from, int limit, String what) {
    if (limit < 0) {
      throw new IllegalArgumentException("a limit below zero: " + limit);
    }
    return from == null ? Futures.ready(new byte[0]) : new ReadAll(from, limit, what);
  }

  @Override
  public byte @Nullable [] poll(Context cx) throws IOException {
    while (true) {
      int n = from.pollRead(cx, bytes);
      if (n == ByteReader.PENDING) {
        return null;
      }
      if (n == ByteReader.EOF) {
        return Arrays.copyOf(bytes.array(), bytes.position());
      }
      if (bytes.position() > limit) {
        throw new TooLongException(
            what + " has more than the " + limit + " bytes that are allowed", limit);
      }
      if (!bytes.hasRemaining()) {
        int more = (int) Math.min(2L * bytes.capacity(), Integer.MAX_VALUE - 16);
        bytes = ByteBuffer.allocate(more).put(bytes.flip());
      }
    }
  }

  @Override
  public void drop() {
    from.forgetRead();
  }

  @Override
  public String toString() {
    return what;
  }
}
