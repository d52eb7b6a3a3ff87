package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * What writes by calls that block: a write is taken to memory of our own and written from there,
 * while the next one waits. A failure is told to whoever comes next.
 */
final class BlockingWriter extends GuardedWriter implements AutoCloseable {
  private static final int CHUNK_BYTES = 8192;

  /** Writes all. */
  private interface Sink {
    void write(byte[] source, int count) throws IOException;
  }

  /** Passes on what was written. */
  private interface Flush {
    void flush() throws IOException;
  }

  private final AutoCloseable below;
  private final Sink sink;
  private final Flush flush;
  private final BlockingCalls<Done> calls = new BlockingCalls<>();

  /** The call under way has it. */
  private byte @Nullable [] chunk;

  private boolean unflushed;
  private boolean ended;
  private boolean closing;

  private BlockingWriter(AutoCloseable below, Sink sink, Flush flush) {
    this.below = below;
    this.sink = sink;
    this.flush = flush;
  }

  static BlockingWriter of(OutputStream below) {
    return new BlockingWriter(
        below, (source, count) -> below.write(source, 0, count), below::flush);
  }

  static BlockingWriter of(WritableByteChannel below) {
    return new BlockingWriter(
        below,
        (source, count) -> {
          ByteBuffer bytes = ByteBuffer.wrap(source, 0, count);
          while (bytes.hasRemaining()) {
            if (below.write(bytes) == 0) {
              throw new IOException(
                  below + " writes nothing instead of waiting", new IllegalBlockingModeException());
            }
          }
        },
        () -> {});
  }

  /** Whether the call before has ended. */
  private boolean isIdle(Context cx) throws IOException {
    if (calls.isIdle()) {
      return true;
    }
    if (calls.poll(cx) == null) {
      return false;
    }
    calls.end();
    return true;
  }

  @Override
  int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (ended) {
      throw new IOException("the output has been shut down");
    }
    if (!source.hasRemaining()) {
      return 0;
    }
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!isIdle(cx)) {
      cx.refund();
      return PENDING;
    }
    byte[] bytes = chunk == null ? new byte[CHUNK_BYTES] : chunk;
    chunk = bytes;
    int n = Math.min(bytes.length, source.remaining());
    source.get(source.position(), bytes, 0, n);
    StackRoom.forMany(); // it is written, and the position says so
    calls.begin(() -> {
      sink.write(bytes, n);
      return Done.DONE;
    });
    unflushed = true;
    source.position(source.position() + n);
    return n;
  }

  @Override
  boolean doFlush(Context cx) throws IOException {
    if (!isIdle(cx)) {
      return false;
    }
    if (unflushed) {
      calls.begin(() -> {
        flush.flush();
        return Done.DONE;
      });
      unflushed = false;
    }
    return isIdle(cx);
  }

  @Override
  boolean doShutdown(Context cx) throws IOException {
    ended = true;
    if (!closing) {
      if (!doFlush(cx)) {
        return false;
      }
      calls.begin(() -> {
        Closing.close(below);
        return Done.DONE;
      });
      closing = true;
    }
    return isIdle(cx);
  }

  @Override
  public void forgetWrite() {
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
