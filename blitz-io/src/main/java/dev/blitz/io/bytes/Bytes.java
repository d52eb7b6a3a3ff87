package dev.blitz.io.bytes;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
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

  // --- From the JDK's streams and channels ---

  /** Reads what remains in {@code bytes}, then the end; moves its position on. */
  public static ByteReader reader(ByteBuffer bytes) {
    return new MemoryReader(Objects.requireNonNull(bytes, "bytes"));
  }

  /**
   * Reads from {@code in} by calls that may block, one at a time, on the blocking pool of the
   * runtime whose task reads. A read that is dropped lets its call go on; what that brings is for
   * the next one. Can be closed: that closes {@code in}, on the calling thread.
   */
  public static ByteReader reader(InputStream in) {
    return BlockingReader.of(Objects.requireNonNull(in, "in"));
  }

  /** As {@link #reader(InputStream)}; {@code in} must be in blocking mode. */
  public static ByteReader reader(ReadableByteChannel in) {
    return BlockingReader.of(Objects.requireNonNull(in, "in"));
  }

  /**
   * Writes to {@code out} by calls that may block, one at a time, on the blocking pool of the
   * runtime whose task writes. A write is taken at once, up to 8 KB, and the next one waits for its
   * call; a failure is told to the next operation. {@code shutdown} flushes and closes {@code out}.
   */
  public static ByteWriter writer(OutputStream out) {
    return BlockingWriter.of(Objects.requireNonNull(out, "out"));
  }

  /** As {@link #writer(OutputStream)}; {@code out} must be in blocking mode. */
  public static ByteWriter writer(WritableByteChannel out) {
    return BlockingWriter.of(Objects.requireNonNull(out, "out"));
  }

  // --- To the JDK's streams and channels ---

  /**
   * A stream for code that blocks: its reads wait on the calling thread, as {@code await} does, so
   * not inside a poll. Closing it closes {@code from}, if that can be closed.
   */
  public static InputStream inputStream(ByteReader from) {
    return new ReaderInputStream(Objects.requireNonNull(from, "from"));
  }

  /**
   * As {@link #inputStream}, for writing. {@code flush} flushes; closing shuts {@code to} down, and
   * closes it if it can be closed.
   */
  public static OutputStream outputStream(ByteWriter to) {
    return new WriterOutputStream(Objects.requireNonNull(to, "to"));
  }

  /** As {@link #inputStream}. */
  public static ReadableByteChannel readableChannel(ByteReader from) {
    return new Channels.Reading(Objects.requireNonNull(from, "from"));
  }

  /** As {@link #outputStream}; a write writes all. */
  public static WritableByteChannel writableChannel(ByteWriter to) {
    return new Channels.Writing(Objects.requireNonNull(to, "to"));
  }
}
