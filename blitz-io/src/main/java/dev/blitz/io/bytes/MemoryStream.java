package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** One end of a {@link Duplex}. */
final class MemoryStream extends GuardedStream {
  private final MemoryLane in;
  private final MemoryLane out;

  /** Written by whoever closes, before the lanes are told; read by all before they touch these. */
  private volatile boolean closed;

  MemoryStream(MemoryLane in, MemoryLane out) {
    this.in = in;
    this.out = out;
  }

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    requireOpen();
    if (!target.hasRemaining()) {
      return 0;
    }
    if (!cx.proceed()) {
      return PENDING;
    }
    int n = in.read(cx, target);
    if (n == PENDING) {
      cx.refund();
    }
    if (n < 0) {
      requireOpen(); // a close is seen as the end of both lanes
    }
    return n;
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    requireOpen();
    if (!source.hasRemaining()) {
      return 0;
    }
    if (!cx.proceed()) {
      return PENDING;
    }
    int n;
    try {
      n = out.write(cx, source);
    } catch (IOException e) {
      requireOpen();
      throw e;
    }
    if (n == PENDING) {
      cx.refund();
    }
    return n;
  }

  /** Nothing to do: what was written can be read. */
  @Override
  protected boolean doFlush(Context cx) throws IOException {
    requireOpen();
    return true;
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    requireOpen();
    StackRoom.forCalls();
    out.endWriter();
    return true;
  }

  @Override
  public void shutdownInput() throws IOException {
    requireOpen();
    StackRoom.forCalls();
    in.endReader();
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void forgetRead() {
    in.forgetReader();
  }

  @Override
  public void forgetWrite() {
    out.forgetWriter();
  }

  @Override
  public void close() {
    StackRoom.forMany();
    closed = true;
    in.endReader();
    out.endWriter();
  }

  @Override
  public String toString() {
    return closed ? "memory stream, closed" : "memory stream, " + in + " to read";
  }
}
