package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The base of kinds of streams: a second read or write while one is pending is refused with an
 * {@link IllegalStateException} that says what to do, instead of taking the first one's wake away.
 *
 * <p>A subclass writes the {@code do...} methods; their contracts are those of the {@code poll...}
 * methods of the same name, and each is called by one thread at a time.
 */
public abstract class GuardedStream implements ByteStream {
  final Side reading = Side.ofReading();
  final Side writing = Side.ofWriting();

  /** For subclasses. */
  protected GuardedStream() {}

  /** See {@link #pollRead}. */
  protected abstract int doRead(Context cx, ByteBuffer target) throws IOException;

  /** See {@link #tryRead}; for kinds that can ask for what is there without waiting for it. */
  protected int doTryRead(ByteBuffer target) throws IOException {
    int n = doRead(Buffers.NOBODY, target);
    if (n == PENDING) {
      forgetRead();
    }
    return n;
  }

  /** See {@link #tryWrite}. */
  protected int doTryWrite(ByteBuffer source) throws IOException {
    int n = doWrite(Buffers.NOBODY, source);
    if (n == PENDING) {
      forgetWrite();
    }
    return n;
  }

  /** See {@link #pollReadVectored}. */
  protected long doReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    return doRead(cx, Buffers.firstWithRoom(targets));
  }

  /** See {@link #pollWrite}. */
  protected abstract int doWrite(Context cx, ByteBuffer source) throws IOException;

  /** See {@link #pollWriteVectored}. */
  protected long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    return doWrite(cx, Buffers.firstWithRoom(sources));
  }

  /** See {@link #pollFlush}. */
  protected abstract boolean doFlush(Context cx) throws IOException;

  /** See {@link #pollShutdown}. */
  protected abstract boolean doShutdown(Context cx) throws IOException;

  /** {@link #doTransfer}: the next bytes have to be read and written. */
  public static final long BY_MEMORY = -3;

  /**
   * What other kinds may take this one's bytes from, see {@link #doTransfer}; null if there is no
   * such thing. The caller has the reading side, and asks once for each copy.
   */
  protected @Nullable DirectInput directInput() {
    return null;
  }

  /**
   * Takes bytes from {@code input}, for {@link Bytes#copy}, which may be dropped at any poll: what
   * was taken by then is as if it had been written.
   *
   * @return how many, at least 1; {@link #PENDING}, as {@link #pollWrite}; or {@link #BY_MEMORY}:
   *     some are to be read and written, and then it is asked again
   */
  protected long doTransfer(Context cx, DirectInput input) throws IOException {
    return BY_MEMORY;
  }

  /** {@link #doTransfer} by one who has not the writing side. */
  final long pollTransfer(Context cx, DirectInput input) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(input);
    try {
      return doTransfer(cx, input);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  /** One try of an operation of a kind's own; null if it is pending, and the waker was kept. */
  @FunctionalInterface
  protected interface Attempt<T> {
    /** Tries once. */
    @Nullable T make(Context cx) throws IOException;
  }

  /** A future of a kind's own on the reading side, which it has until its end. */
  @CheckReturnValue
  protected final <T> IoFuture<T> reading(Attempt<T> attempt) {
    return Watched.io(new Reads.Own<>(this, attempt));
  }

  /** A future of a kind's own on the writing side, which it has until its end. */
  @CheckReturnValue
  protected final <T> IoFuture<T> writing(Attempt<T> attempt) {
    return Watched.io(new Writes.Own<>(this, attempt));
  }

  @Override
  public final int pollRead(Context cx, ByteBuffer target) throws IOException {
    StackRoom.forWake(); // to let go of the side
    reading.claim(target);
    try {
      return doRead(cx, Buffers.writable(target));
    } finally {
      reading.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final int tryRead(ByteBuffer target) throws IOException {
    StackRoom.forWake(); // to let go of the side
    reading.claim(target);
    try {
      return doTryRead(Buffers.writable(target)); // while the side is ours
    } finally {
      reading.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final long pollReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    StackRoom.forWake(); // to let go of the side
    reading.claim(targets);
    try {
      return doReadVectored(cx, Buffers.writable(targets));
    } finally {
      reading.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final int pollWrite(Context cx, ByteBuffer source) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(source);
    try {
      return doWrite(cx, source);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final int tryWrite(ByteBuffer source) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(source);
    try {
      return doTryWrite(source);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final long pollWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(sources);
    try {
      return doWriteVectored(cx, sources);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final boolean pollFlush(Context cx) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(cx);
    try {
      return doFlush(cx);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  @Override
  public final boolean pollShutdown(Context cx) throws IOException {
    StackRoom.forWake(); // to let go of the side
    writing.claim(cx);
    try {
      return doShutdown(cx);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }
}
