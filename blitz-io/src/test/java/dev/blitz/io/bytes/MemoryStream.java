package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** One end of a connection in memory: what a kind of stream has to write, and nothing else. */
final class MemoryStream extends GuardedStream {
  /** One direction: what has been written and not read, under its monitor, and who waits. */
  private static final class Lane {
    final ByteBuffer bytes;
    final WakerSlot reader = new WakerSlot();
    final WakerSlot writer = new WakerSlot();
    boolean ended;

    Lane(int capacity) {
      bytes = ByteBuffer.allocate(capacity);
    }

    int take(ByteBuffer target) {
      bytes.flip();
      int n = move(bytes, target);
      bytes.compact();
      return n;
    }

    static int move(ByteBuffer from, ByteBuffer to) {
      int n = Math.min(from.remaining(), to.remaining());
      to.put(from.slice(from.position(), n));
      from.position(from.position() + n);
      return n;
    }

    /** Nothing more is put in; what is there can be taken. */
    void end() {
      synchronized (this) {
        ended = true;
      }
      reader.wake();
      writer.wake();
    }
  }

  private final Lane in;
  private final Lane out;
  private volatile boolean closed;

  private MemoryStream(Lane in, Lane out) {
    this.in = in;
    this.out = out;
  }

  /** Two ends; each direction holds {@code capacity} bytes. */
  static MemoryStream[] pair(int capacity) {
    var there = new Lane(capacity);
    var back = new Lane(capacity);
    return new MemoryStream[] {new MemoryStream(back, there), new MemoryStream(there, back)};
  }

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    int n;
    synchronized (in) {
      requireOpen();
      n = in.take(target);
      if (n == 0 && target.hasRemaining()) {
        if (in.ended) {
          return EOF;
        }
        in.reader.set(cx.waker());
        cx.refund();
        return PENDING;
      }
    }
    in.writer.wake();
    return n;
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    int n;
    synchronized (out) {
      requireOpen();
      if (out.ended) {
        throw new IOException("the peer has closed, or output was shut down");
      }
      n = Lane.move(source, out.bytes);
      if (n == 0 && source.hasRemaining()) {
        out.writer.set(cx.waker());
        cx.refund();
        return PENDING;
      }
    }
    out.reader.wake();
    return n;
  }

  @Override
  protected boolean doFlush(Context cx) throws IOException {
    requireOpen();
    return true;
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    requireOpen();
    out.end();
    return true;
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void forgetRead() {
    in.reader.clear();
  }

  @Override
  public void forgetWrite() {
    out.writer.clear();
  }

  @Override
  public void close() {
    closed = true;
    in.end();
    out.end();
  }
}
