package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Where bytes come from. There can be one read at a time. A pending read may be dropped at any
 * time, and has lost no byte: the next one gets them.
 *
 * <p>Implementations write {@link #pollRead} and {@link #forgetRead}; the futures are the same for
 * all.
 *
 * {@snippet :
 * static long count(ByteReader from) throws IOException {
 *   var buffer = ByteBuffer.allocateDirect(8192);
 *   long total = 0;
 *   for (int n; (n = from.read(buffer.clear()).await()) != ByteReader.EOF; ) {
 *     total += n;
 *   }
 *   return total;
 * }
 * }
 */
public interface ByteReader {

  /** Nothing more will come. */
  int EOF = -1;

  /** Nothing yet; the waker has been kept. */
  int PENDING = -2;

  // --- The poll tier ---

  /**
   * Takes bytes that are there into what remains of {@code target}, and moves its position on. For
   * hand-written futures: no object, no boxing. Charges the budget of {@code cx}.
   *
   * @return how many; {@link #EOF}; 0 only if nothing remains in the buffer; or {@link #PENDING}:
   *     then the waker of {@code cx} will be woken, unless {@link #forgetRead} comes before
   */
  int pollRead(Context cx, ByteBuffer target) throws IOException;

  /**
   * Ends a pending read: its waker is not woken any more. Whoever got {@link #PENDING} and will not
   * poll again calls this. Does nothing if none is pending.
   */
  void forgetRead();

  /**
   * As {@link #pollRead} into several buffers, in order. An implementation that cannot do better
   * fills the first that has room.
   */
  default long pollReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    return pollRead(cx, Buffers.firstWithRoom(targets));
  }

  // --- Without a task ---

  /**
   * Takes what is there now, without waiting; on any thread. A reader that several may use at a
   * time overrides this, so that it forgets its own waker and not another's.
   *
   * @return as {@link #pollRead}; {@link #PENDING} if there is nothing now
   */
  default int tryRead(ByteBuffer target) throws IOException {
    int n = pollRead(Buffers.NOBODY, Buffers.writable(target));
    if (n == PENDING) {
      forgetRead();
    }
    return n;
  }

  // --- Futures ---

  /**
   * Reads what has arrived, at least one byte, into what remains of {@code target}, and moves its
   * position on.
   *
   * @return how many bytes; -1 at the end of the stream; 0 only if nothing remains in the buffer
   */
  @CheckReturnValue
  default IoFuture<Integer> read(ByteBuffer target) {
    return Watched.io(new Reads.Some(this, Buffers.writable(target)));
  }

  /**
   * As {@link #read(ByteBuffer)} into the beginning of {@code target}: native memory, or that of a
   * {@code byte[]}.
   */
  @CheckReturnValue
  default IoFuture<Integer> read(MemorySegment target) {
    return Watched.io(new Reads.Some(this, Buffers.target(target)));
  }

  /**
   * Fills {@code target}. If the stream ends before, the future fails with {@link
   * java.io.EOFException}; the bytes that came are in the buffer. Dropped, it has read up to the
   * position.
   */
  @CheckReturnValue
  default IoFuture<Done> readFully(ByteBuffer target) {
    return Watched.io(new Reads.Fully(this, Buffers.writable(target)));
  }

  /** Reads into several buffers in order, as far as bytes have arrived; -1 at the end. */
  @CheckReturnValue
  default IoFuture<Long> readVectored(ByteBuffer... targets) {
    return Watched.io(new Reads.Vectored(this, targets));
  }

  // --- Readers made of readers ---

  /** The next {@code count} bytes, then the end; what comes after them stays here. */
  @CheckReturnValue
  default ByteReader take(long count) {
    return new TakeReader(this, count);
  }

  /** All of this one, then all of {@code next}. */
  @CheckReturnValue
  default ByteReader chain(ByteReader next) {
    return new ChainReader(this, next);
  }

  /**
   * What is read is written to {@code copy} first, which is flushed whenever there is nothing to
   * read. Reads ahead, as a {@link BufferedByteReader} does: take one of your own to go on with.
   */
  @CheckReturnValue
  default ByteReader tee(ByteWriter copy) {
    return new TeeReader(this, copy);
  }
}
