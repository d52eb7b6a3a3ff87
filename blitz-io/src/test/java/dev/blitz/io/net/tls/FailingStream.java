package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.Context;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A stream one of whose calls finds no memory. */
final class FailingStream extends GuardedStream {
  private final ByteStream inner;
  private int left;

  /** {@code before}: how many calls go well first. */
  FailingStream(ByteStream inner, int before) {
    this.inner = inner;
    this.left = before;
  }

  private void call() {
    if (left-- == 0) {
      throw new OutOfMemoryError("made up");
    }
  }

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    call();
    return inner.pollRead(cx, target);
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    call();
    return inner.pollWrite(cx, source);
  }

  @Override
  protected boolean doFlush(Context cx) throws IOException {
    call();
    return inner.pollFlush(cx);
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    return inner.pollShutdown(cx);
  }

  @Override
  public void forgetRead() {
    inner.forgetRead();
  }

  @Override
  public void forgetWrite() {
    inner.forgetWrite();
  }

  @Override
  public void close() {
    inner.close();
  }

  @Override
  public String toString() {
    return "FailingStream";
  }
}
