package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The reading half of a {@linkplain TcpStream#split split} stream. */
public final class TcpReadHalf implements AutoCloseable {
  private final TcpHalves.Shared shared;

  TcpReadHalf(TcpHalves.Shared shared) {
    this.shared = shared;
  }

  /** See {@link TcpStream#read(ByteBuffer)}. */
  @CheckReturnValue
  public IoFuture<Integer> read(ByteBuffer target) {
    return new Reads.Some(stream(), target, false);
  }

  /** See {@link TcpStream#read(MemorySegment)}. */
  @CheckReturnValue
  public IoFuture<Integer> read(MemorySegment target) {
    return new Reads.IntoSegment(stream(), target);
  }

  /** See {@link TcpStream#peek}. */
  @CheckReturnValue
  public IoFuture<Integer> peek(ByteBuffer target) {
    return new Reads.Some(stream(), target, true);
  }

  /** See {@link TcpStream#readFully}. */
  @CheckReturnValue
  public IoFuture<Done> readFully(ByteBuffer target) {
    return new Reads.Fully(stream(), target);
  }

  /** See {@link TcpStream#readVectored}. */
  @CheckReturnValue
  public IoFuture<Long> readVectored(ByteBuffer... targets) {
    return new Reads.Vectored(stream(), targets);
  }

  /** The peer's address. */
  public InetSocketAddress remoteAddress() throws IOException {
    return stream().remoteAddress();
  }

  /**
   * Makes the stream whole again.
   *
   * @throws IllegalArgumentException if {@code other} comes from another stream
   */
  public TcpStream reunite(TcpWriteHalf other) {
    if (other.shared() != shared) {
      throw new IllegalArgumentException("the two halves come from different streams");
    }
    return shared.reunite();
  }

  /** Ends reading; once the other half has been closed too, closes the connection. */
  @Override
  public void close() {
    TcpStream stream = shared.whole();
    if (shared.end(true) && stream.isOpen()) {
      try {
        stream.endpoint.shutdownInput();
      } catch (IOException e) {
        // The connection has ended by itself, which is what was asked for.
      }
    }
  }

  private TcpStream stream() {
    return shared.stream(true);
  }

  @Override
  public String toString() {
    return "reading half of " + shared.whole();
  }
}
