package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** One end of a connection in memory that can be tampered with. */
final class Wire extends GuardedStream {
  /** One direction; under its monitor. */
  static final class Lane {
    private final ByteBuffer bytes;
    private final WakerSlot reader = new WakerSlot();
    private final WakerSlot writer = new WakerSlot();
    private boolean ended;
    private long passed;
    private int pieceBytes = Integer.MAX_VALUE;
    private long corruptAt = -1;
    private long endAt = Long.MAX_VALUE;

    Lane(int capacity) {
      bytes = ByteBuffer.allocate(capacity);
    }

    /** A read gets no more than this. */
    synchronized void deliverPiecesOf(int most) {
      pieceBytes = most;
    }

    /** A bit of the byte at this place arrives changed. */
    synchronized void corruptByte(long place) {
      corruptAt = place;
    }

    /** After so many bytes the reader sees the end. */
    synchronized void endAfter(long place) {
      endAt = place;
    }

    /** How many have been read. */
    synchronized long passed() {
      return passed;
    }

    /** Whether some have not been read. */
    synchronized boolean hasLeft() {
      return bytes.position() > 0;
    }

    private int put(ByteBuffer source) {
      int n = Math.min(source.remaining(), bytes.remaining());
      bytes.put(source.slice(source.position(), n));
      source.position(source.position() + n);
      return n;
    }

    private int take(ByteBuffer target) {
      bytes.flip();
      int most = (int) Math.min(Math.min(target.remaining(), pieceBytes), endAt - passed);
      int n = Math.min(bytes.remaining(), most);
      for (int i = 0; i < n; i++) {
        byte b = bytes.get();
        target.put(passed++ == corruptAt ? (byte) (b ^ 4) : b);
      }
      bytes.compact();
      return n;
    }

    private boolean isAtEnd() {
      return passed == endAt || (ended && bytes.position() == 0);
    }

    void end() {
      synchronized (this) {
        ended = true;
      }
      reader.wake();
      writer.wake();
    }
  }

  final Lane in;
  final Lane out;
  private volatile boolean closed;

  private Wire(Lane in, Lane out) {
    this.in = in;
    this.out = out;
  }

  /** Two ends; each direction holds {@code capacity} bytes. */
  static Wire[] pair(int capacity) {
    var there = new Lane(capacity);
    var back = new Lane(capacity);
    return new Wire[] {new Wire(back, there), new Wire(there, back)};
  }

  boolean isClosed() {
    return closed;
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
        if (in.isAtEnd()) {
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
      n = out.put(source);
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

  @Override
  public String toString() {
    return "Wire";
  }
}
