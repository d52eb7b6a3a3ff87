package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The writing half of a {@linkplain TcpStream#split split} stream. */
public final class TcpWriteHalf implements AutoCloseable {
  private final TcpHalves.Shared shared;

  TcpWriteHalf(TcpHalves.Shared shared) {
    this.shared = shared;
  }

  /** See {@link TcpStream#write(ByteBuffer)}. */
  @CheckReturnValue
  public IoFuture<Integer> write(ByteBuffer source) {
    return new Writes.Some(stream(), source);
  }

  /** See {@link TcpStream#write(MemorySegment)}. */
  @CheckReturnValue
  public IoFuture<Integer> write(MemorySegment source) {
    return new Writes.FromSegment(stream(), source);
  }

  /** See {@link TcpStream#writeAll(ByteBuffer)}. */
  @CheckReturnValue
  public IoFuture<Done> writeAll(ByteBuffer source) {
    return new Writes.All(stream(), source);
  }

  /** See {@link TcpStream#writeAll(MemorySegment)}. */
  @CheckReturnValue
  public IoFuture<Done> writeAll(MemorySegment source) {
    return new Writes.AllOfSegment(stream(), source);
  }

  /** See {@link TcpStream#writeVectored}. */
  @CheckReturnValue
  public IoFuture<Long> writeVectored(ByteBuffer... sources) {
    return new Writes.Vectored(stream(), sources);
  }

  /** The peer's address. */
  public InetSocketAddress remoteAddress() throws IOException {
    return stream().remoteAddress();
  }

  /**
   * Tells the peer that nothing more comes; once the other half has been closed too, closes the
   * connection.
   */
  @Override
  public void close() {
    TcpStream stream = shared.whole();
    if (shared.end(false) && stream.isOpen()) {
      try {
        stream.endpoint.shutdownOutput();
      } catch (IOException e) {
        // The connection has ended by itself, which is what was asked for.
      }
    }
  }

  TcpHalves.Shared shared() {
    return shared;
  }

  private TcpStream stream() {
    return shared.stream(false);
  }

  @Override
  public String toString() {
    return "writing half of " + shared.whole();
  }
}
