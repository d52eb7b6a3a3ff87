package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The writing half of a {@linkplain Halves split} stream.
 *
 * @param <S> the kind of stream
 */
public final class WriteHalf<S extends ByteStream> implements ByteWriter, AutoCloseable {
  private final Halves.Pair<S> pair;
  private final Side side = Side.ofWriting();

  WriteHalf(Halves.Pair<S> pair) {
    this.pair = pair;
  }

  S stream() {
    return pair.stream;
  }

  Side side() {
    return side;
  }

  Halves.Pair<S> pair() {
    return pair;
  }

  /** See {@link GuardedStream#doTransfer}. */
  long pollTransfer(Context cx, DirectInput input) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(input);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doTransfer(cx, input)
          : GuardedStream.BY_MEMORY;
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int pollWrite(Context cx, ByteBuffer source) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(source);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doWrite(cx, source)
          : pair.stream.pollWrite(cx, source);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int tryWrite(ByteBuffer source) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(source);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doTryWrite(source)
          : pair.stream.tryWrite(source);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long pollWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(sources);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doWriteVectored(cx, sources)
          : pair.stream.pollWriteVectored(cx, sources);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean pollFlush(Context cx) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(cx);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doFlush(cx)
          : pair.stream.pollFlush(cx);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public boolean pollShutdown(Context cx) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(cx);
    try {
      return endOutput(cx);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  private boolean endOutput(Context cx) throws IOException {
    return pair.stream instanceof GuardedStream guarded
        ? guarded.doShutdown(cx)
        : pair.stream.pollShutdown(cx);
  }

  @Override
  public void forgetWrite() {
    if (!side.isRetired()) { // else the waker there may be another's
      pair.stream.forgetWrite();
    }
  }

  /**
   * Tells the peer that nothing more comes, as far as that can be done without waiting: a stream
   * that keeps written bytes to itself wants {@link #shutdown} before. A pending write fails with
   * {@link java.nio.channels.AsynchronousCloseException}. Once the other half has been closed too,
   * closes the stream.
   */
  @Override
  public void close() {
    StackRoom.forOwner();
    if (pair.endWriter()) {
      side.retire("this half has been closed", this::endOutput);
    } else {
      side.doLast(); // if there was no stack for it before
    }
  }

  private void endOutput() {
    try {
      if (!endOutput(Buffers.NOBODY)) {
        pair.stream.forgetWrite();
      }
    } catch (IOException e) {
      // It has ended by itself, or been closed, which is what was asked for.
    }
  }

  @Override
  public String toString() {
    return "writing half of " + pair.stream;
  }
}
