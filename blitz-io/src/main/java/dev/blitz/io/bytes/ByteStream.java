package dev.blitz.io.bytes;

import java.io.IOException;

/**
 * Bytes both ways, as with a peer. One task may read while another writes, and anybody may close.
 */
public interface ByteStream extends ByteReader, ByteWriter, AutoCloseable {

  /** Nothing can be moved yet; the waker has been kept. */
  int PENDING = ByteReader.PENDING;

  /**
   * Ends reading, without waiting: reads then say that the stream has ended. What cannot tell its
   * peer does nothing.
   */
  default void shutdownInput() throws IOException {}

  /** Splits the stream for two owners; see {@link Halves}. */
  default Halves<? extends ByteStream> split() {
    return Halves.of(this);
  }

  /**
   * Closes the stream. Pending operations end with {@link
   * java.nio.channels.ClosedChannelException}.
   */
  @Override
  void close();
}
