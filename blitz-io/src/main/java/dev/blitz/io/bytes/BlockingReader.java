package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ReadableByteChannel;

/** What reads by calls that block: each fills memory of our own, from which it is given out. */
final class BlockingReader extends GuardedReader implements AutoCloseable {
  private static final int CHUNK_BYTES = 8192;

  /** Reads at least one byte, or -1. */
  private interface Source {
    int read(byte[] target) throws IOException;
  }

  private final AutoCloseable below;
  private final Source source;
  private final BlockingCalls<Integer> calls = new BlockingCalls<>();

  /** The call under way has it. */
  private final byte[] chunk = new byte[CHUNK_BYTES];

  /** The bytes of the last call that were not given out. */
  private final ByteBuffer bytes = ByteBuffer.wrap(chunk).limit(0);

  private boolean ended;

  private BlockingReader(AutoCloseable below, Source source) {
    this.below = below;
    this.source = source;
  }

  static BlockingReader of(InputStream below) {
    return new BlockingReader(below, below::read);
  }

  static BlockingReader of(ReadableByteChannel below) {
    return new BlockingReader(below, target -> below.read(ByteBuffer.wrap(target)));
  }

  @Override
  int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (ended) {
      return EOF;
    }
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!bytes.hasRemaining()) {
      int n = fill(cx);
      if (n < 0) {
        if (n == PENDING) {
          cx.refund();
        }
        return n;
      }
    }
    return Buffers.move(bytes, target);
  }

  private int fill(Context cx) throws IOException {
    if (calls.isIdle()) {
      calls.begin(() -> source.read(chunk));
    }
    Integer n = calls.poll(cx);
    if (n == null) {
      return PENDING;
    }
    if (n == 0) {
      calls.end();
      throw new IOException(
          below + " reads nothing instead of waiting", new IllegalBlockingModeException());
    }
    ended = n < 0;
    bytes.position(0).limit(Math.max(0, n));
    calls.end();
    return n;
  }

  @Override
  public void forgetRead() {
    calls.forget();
  }

  @Override
  public void close() throws IOException {
    Closing.close(below);
  }

  @Override
  public String toString() {
    return below.toString();
  }
}
