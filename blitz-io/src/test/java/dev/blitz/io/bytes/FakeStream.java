package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.SpinLock;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;

/** A kind of stream as a library would write one: all of it, a byte at a time, under one lock. */
final class FakeStream extends GuardedStream {
  private static final int CAPACITY = 7;

  /** One direction; under {@code lock}. */
  private static final class Lane {
    final ArrayDeque<Byte> bytes = new ArrayDeque<>();
    final WakerSlot reader = new WakerSlot();
    final WakerSlot writer = new WakerSlot();
    boolean ended;
  }

  private final SpinLock lock;
  private final Lane in;
  private final Lane out;
  private volatile boolean closed;

  private FakeStream(SpinLock lock, Lane in, Lane out) {
    this.lock = lock;
    this.in = in;
    this.out = out;
  }

  static ByteStream[] pair() {
    var lock = new SpinLock();
    var there = new Lane();
    var back = new Lane();
    return new ByteStream[] {new FakeStream(lock, there, back), new FakeStream(lock, back, there)};
  }

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    requireOpen();
    if (!target.hasRemaining() || !cx.proceed()) {
      return target.hasRemaining() ? PENDING : 0;
    }
    int n = 0;
    lock.lock();
    try {
      while (!in.bytes.isEmpty() && target.hasRemaining()) {
        target.put(in.bytes.remove());
        n++;
      }
      if (n == 0) {
        requireOpen();
        if (in.ended) {
          return EOF;
        }
        in.reader.set(cx.waker());
        cx.refund();
        return PENDING;
      }
    } finally {
      lock.unlock();
    }
    in.writer.wake();
    return n;
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    requireOpen();
    if (!source.hasRemaining() || !cx.proceed()) {
      return source.hasRemaining() ? PENDING : 0;
    }
    int n = 0;
    lock.lock();
    try {
      requireOpen();
      if (out.ended) {
        throw new IOException("nobody reads, or no more");
      }
      while (out.bytes.size() < CAPACITY && source.hasRemaining()) {
        out.bytes.add(source.get());
        n++;
      }
      if (n == 0) {
        out.writer.set(cx.waker());
        cx.refund();
        return PENDING;
      }
    } finally {
      lock.unlock();
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
    end(out, false);
    return true;
  }

  @Override
  public void shutdownInput() throws IOException {
    requireOpen();
    end(in, true);
  }

  private void end(Lane lane, boolean discards) {
    lock.lock();
    lane.ended = true;
    lane.bytes.removeIf(each -> discards);
    lock.unlock();
    lane.reader.wake();
    lane.writer.wake();
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
    end(in, true);
    end(out, false);
  }
}
