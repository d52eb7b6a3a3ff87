package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * The reading half of a {@linkplain Halves split} stream.
 *
 * @param <S> the kind of stream
 */
public final class ReadHalf<S extends ByteStream> implements ByteReader, AutoCloseable {
  private final Halves.Pair<S> pair;
  private final Side side = Side.ofReading();

  ReadHalf(Halves.Pair<S> pair) {
    this.pair = pair;
  }

  S stream() {
    return pair.stream;
  }

  Side side() {
    return side;
  }

  @Override
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(target);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doRead(cx, Buffers.writable(target))
          : pair.stream.pollRead(cx, target);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public int tryRead(ByteBuffer target) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(target);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doTryRead(Buffers.writable(target))
          : pair.stream.tryRead(target);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public long pollReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    StackRoom.forWake(); // to let go of the side
    side.claim(targets);
    try {
      return pair.stream instanceof GuardedStream guarded
          ? guarded.doReadVectored(cx, Buffers.writable(targets))
          : pair.stream.pollReadVectored(cx, targets);
    } finally {
      side.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public void forgetRead() {
    if (!side.isRetired()) { // else the waker there may be another's
      pair.stream.forgetRead();
    }
  }

  /**
   * Makes the stream whole again.
   *
   * @throws IllegalArgumentException if {@code other} comes from another stream
   * @throws IllegalStateException if an operation is pending, or a half has been closed
   */
  public S reunite(WriteHalf<S> other) {
    if (other.pair() != pair) {
      throw new IllegalArgumentException("the two halves come from different streams");
    }
    return pair.reunite(side, other.side());
  }

  /** Ends reading; once the other half has been closed too, closes the stream. */
  @Override
  public void close() {
    StackRoom.forOwner();
    if (pair.endReader()) {
      side.retire("this half has been closed");
      try {
        pair.stream.shutdownInput();
      } catch (IOException e) {
        // It has ended by itself, or been closed, which is what was asked for.
      }
    }
  }

  @Override
  public String toString() {
    return "reading half of " + pair.stream;
  }
}
