package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection, or a socket that will be one.
 *
 * <p>It has two sides, reading and writing (connecting is writing). The caller makes sure that each
 * side is used by one thread at a time, with happens-before edges in between; the two sides, and
 * {@link #close}, may be used at the same time. A call that answers {@link #PENDING} has kept
 * {@code waker}, in place of an earlier one of that side, and wakes it when another call makes
 * sense. No call keeps the memory it is given. Segments may be native or on the heap.
 *
 * <p>Without a waker a call is a try: it asks the kernel for what is there now, whatever was known
 * before, and keeps nothing.
 */
public interface StreamEndpoint extends NetEndpoint {

  /** Nothing more will come. */
  int EOF = -1;

  /** Nothing yet; the waker has been kept. */
  int PENDING = -2;

  /**
   * Connects; the first call begins it.
   *
   * @return whether the connection stands
   * @throws QueueFullException if the one who listens has no room, and nothing will wake: the
   *     caller must try again later
   * @throws IOException if it failed; the endpoint is then good for nothing but closing
   */
  boolean pollConnect(SocketAddress remote, Waker waker) throws IOException;

  /**
   * Takes bytes that have arrived.
   *
   * @param target not empty
   * @return how many, {@link #EOF} or {@link #PENDING}
   */
  int pollRead(ByteBuffer target, @Nullable Waker waker) throws IOException;

  /** As {@link #pollRead}, but the bytes stay to be read. */
  int pollPeek(ByteBuffer target, @Nullable Waker waker) throws IOException;

  /**
   * Takes over bytes to be sent: as many as the kernel or the driver's own memory has room for.
   * What was taken is sent in order, before a later {@link #shutdownOutput} or {@link #close} takes
   * effect; should that fail, the next call on this side throws.
   *
   * @param source not empty
   * @return how many, at least 1, or {@link #PENDING}
   */
  int pollWrite(ByteBuffer source, @Nullable Waker waker) throws IOException;

  /** As {@link #pollRead} into several segments, none of them empty, in order. */
  default long pollReadVectored(MemorySegment[] targets, @Nullable Waker waker) throws IOException {
    return pollRead(targets[0].asByteBuffer(), waker);
  }

  /** As {@link #pollWrite} from several segments, none of them empty, in order. */
  default long pollWriteVectored(MemorySegment[] sources, @Nullable Waker waker)
      throws IOException {
    return pollWrite(sources[0].asByteBuffer(), waker);
  }

  /** {@link #pollSendFile}: not with this endpoint. */
  long NOT_SERVED = -3;

  /**
   * What can be told of a {@link #pollSendFile} before anybody has looked for bytes to send.
   *
   * @return 0 if it may be made; {@link #PENDING} if an earlier write comes first, and the waker
   *     was kept; or {@link #NOT_SERVED}
   */
  default long pollBeforeFile(@Nullable Waker waker) throws IOException {
    return NOT_SERVED;
  }

  /**
   * As {@link #pollWrite} of bytes that a {@link #pollSendFile} follows at once: the kernel may
   * keep them for a moment, to send both in one packet.
   */
  default int pollWriteBeforeFile(ByteBuffer source, @Nullable Waker waker) throws IOException {
    return pollWrite(source, waker);
  }

  /**
   * As {@link #pollWrite} of up to {@code most} bytes of a file, straight from the kernel's memory.
   *
   * @param file its number, open for the time of the call
   * @return how many; 0 if the file ends at {@code position}; {@link #PENDING} or {@link
   *     #NOT_SERVED}
   */
  default long pollSendFile(int file, long position, int most, @Nullable Waker waker)
      throws IOException {
    return NOT_SERVED;
  }

  /** Forgets the waker of the reading side, at once; what arrives is kept for the next read. */
  void forgetReader();

  /** Forgets the waker of the writing side. */
  void forgetWriter();

  /** Keeps {@code waker} as the writing side's: it is woken at the latest when this is closed. */
  void awaitClose(Waker waker);

  /** Ends reading: reads then find the end of the stream, after what has arrived. */
  void shutdownInput() throws IOException;

  /** Ends writing: the peer sees the end of the stream after all that was written. */
  void shutdownOutput() throws IOException;

  /** The peer's address. */
  SocketAddress remoteAddress() throws IOException;
}
