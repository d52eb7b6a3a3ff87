package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Where bytes go to. There can be one write, flush or shutdown at a time. A pending one may be
 * dropped at any time; a dropped write has taken what the buffer's position says.
 *
 * <p>Bytes that were taken may wait in the stream's own memory until {@link #flush}: flush before
 * you wait for an answer to them. Sockets pass them on by themselves.
 *
 * {@snippet :
 * static void ask(ByteStream peer, ByteBuffer question, ByteBuffer answer) throws IOException {
 *   peer.writeAll(question).await();
 *   peer.flush().await();
 *   peer.readFully(answer).await();
 * }
 * }
 */
public interface ByteWriter {

  /** No room yet; the waker has been kept. */
  int PENDING = ByteReader.PENDING;

  // --- The poll tier ---

  /**
   * Takes bytes of what remains in {@code source}, and moves its position on: as many as there is
   * room for. For hand-written futures. Charges the budget of {@code cx}.
   *
   * @return how many; 0 only if nothing remains; or {@link #PENDING}: then the waker of {@code cx}
   *     will be woken, unless {@link #forgetWrite} comes before
   */
  int pollWrite(Context cx, ByteBuffer source) throws IOException;

  /**
   * Passes on what was taken and still waits in this stream, and in those below it.
   *
   * @return whether that is done; if not, the waker has been kept
   */
  boolean pollFlush(Context cx) throws IOException;

  /**
   * Flushes, and tells the peer that nothing more comes. From the first call on writes fail.
   *
   * @return whether that is done; if not, the waker has been kept
   */
  boolean pollShutdown(Context cx) throws IOException;

  /**
   * Ends a pending operation of this side: its waker is not woken any more. Whoever got {@link
   * #PENDING} or false and will not poll again calls this. Does nothing if none is pending.
   */
  void forgetWrite();

  /**
   * As {@link #pollWrite} from several buffers, in order. An implementation that cannot do better
   * writes from the first that has something.
   */
  default long pollWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    return pollWrite(cx, Buffers.firstWithRoom(sources));
  }

  // --- Without a task ---

  /**
   * Takes what there is room for now, without waiting; on any thread. A writer that several may use
   * at a time overrides this, so that it forgets its own waker and not another's.
   *
   * @return as {@link #pollWrite}; {@link #PENDING} if there is no room now
   */
  default int tryWrite(ByteBuffer source) throws IOException {
    int n = pollWrite(Buffers.NOBODY, source);
    if (n == PENDING) {
      forgetWrite();
    }
    return n;
  }

  // --- Futures ---

  /**
   * Writes some of what remains in {@code source}, and moves its position on: what could be taken
   * at once.
   *
   * @return how many bytes; 0 only if nothing remains
   */
  @CheckReturnValue
  default IoFuture<Integer> write(ByteBuffer source) {
    return Watched.io(new Writes.Some(this, Objects.requireNonNull(source, "source")));
  }

  /** As {@link #write(ByteBuffer)} from the beginning of {@code source}. */
  @CheckReturnValue
  default IoFuture<Integer> write(MemorySegment source) {
    return Watched.io(new Writes.Some(this, Buffers.of(source, 0)));
  }

  /** Writes all that remains in {@code source}. Dropped, it has written up to the position. */
  @CheckReturnValue
  default IoFuture<Done> writeAll(ByteBuffer source) {
    return Watched.io(new Writes.All(this, Objects.requireNonNull(source, "source")));
  }

  /** Writes all of {@code source}. */
  @CheckReturnValue
  default IoFuture<Done> writeAll(MemorySegment source) {
    return Watched.io(new Writes.AllOfSegment(this, Objects.requireNonNull(source, "source")));
  }

  /** Writes some of what remains in several buffers, in order. */
  @CheckReturnValue
  default IoFuture<Long> writeVectored(ByteBuffer... sources) {
    return Watched.io(new Writes.Vectored(this, sources));
  }

  /** Writes all that remains in several buffers, in order. */
  @CheckReturnValue
  default IoFuture<Done> writeAllVectored(ByteBuffer... sources) {
    return Watched.io(new Writes.AllVectored(this, sources));
  }

  /** Passes on what was written. */
  @CheckReturnValue
  default IoFuture<Done> flush() {
    return Watched.io(new Writes.Flush(this));
  }

  /** Passes on what was written and tells the peer that nothing more comes; reading goes on. */
  @CheckReturnValue
  default IoFuture<Done> shutdown() {
    return Watched.io(new Writes.Shutdown(this));
  }
}
