package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import java.util.Objects;

/**
 * What is done with whole streams.
 *
 * {@snippet :
 * try (client; var server = TcpStream.connect(host, port).timeout(ofSeconds(5)).await()) {
 *   Bytes.copyBothWays(client, server).await(); // half-closes pass through
 * }
 * }
 */
public final class Bytes {
  private Bytes() {}

  /**
   * Copies until {@code from} ends, and flushes {@code to}, also whenever there is nothing to read.
   * Closes and shuts down nothing.
   *
   * <p>Dropped, it has written nothing twice and nothing out of order; what it had read and not
   * written, at most 64 KB, is lost. Copy from a {@link BufferedByteReader} of your own to go on
   * after a drop or a failed write: all that was not written is then still to be read from it.
   *
   * @return how many bytes
   */
  @CheckReturnValue
  public static IoFuture<Long> copy(ByteReader from, ByteWriter to) {
    return new CopyFuture(
        Objects.requireNonNull(from, "from"), Objects.requireNonNull(to, "to"), false);
  }

  /**
   * Copies between two streams, both ways at once, until both have ended. When one ends, the other
   * is shut down, and can still answer. The first failure ends both directions; nothing is closed.
   *
   * <p>A drop is as one of {@link #copy} for each direction.
   *
   * @return how many bytes each way
   */
  @CheckReturnValue
  public static IoFuture<Traffic> copyBothWays(ByteStream one, ByteStream other) {
    if (one == other) {
      throw new IllegalArgumentException("a stream cannot be copied to itself: " + one);
    }
    return new CopyBothWays(one, other);
  }
}
