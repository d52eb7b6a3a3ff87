package dev.blitz.io.net;

import dev.blitz.io.bytes.DirectInput;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.Vectors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * A connection, by TCP or on this machine.
 *
 * <p>One task may read while another writes, and anybody may close; of reads and of writes there
 * can be one at a time: a second one fails with {@link IllegalStateException}. Tasks that share a
 * stream hold a {@link dev.blitz.io.sync.Mutex} around each whole message, or send their messages
 * by a {@link dev.blitz.io.channel.Channel} to one task that writes. A buffer may be direct or on
 * the heap; direct ones save a copy. A pending operation may be dropped at any time: a dropped read
 * has lost no byte (the next read gets them), a dropped write has sent what the buffer's position
 * says.
 */
public abstract sealed class SocketStream extends GuardedStream permits TcpStream, UnixStream {
  final StreamEndpoint endpoint;
  private final String kind;
  private final Cleaner.Cleanable unclosed;

  SocketStream(StreamEndpoint endpoint, String kind) {
    this.endpoint = endpoint;
    this.kind = kind;
    unclosed = LostHandles.watch(this, endpoint, kind);
  }

  // --- Bytes ---

  @Override
  protected final int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return nothing();
    }
    return Vectors.moved(cx, target, endpoint.pollRead(target, cx.waker()));
  }

  @Override
  protected final int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!source.hasRemaining()) {
      return nothing();
    }
    return Vectors.moved(cx, source, endpoint.pollWrite(source, cx.waker()));
  }

  @Override
  protected final int doTryRead(ByteBuffer target) throws IOException {
    return target.hasRemaining()
        ? Vectors.tried(target, endpoint.pollRead(target, null))
        : nothing();
  }

  @Override
  protected final int doTryWrite(ByteBuffer source) throws IOException {
    return source.hasRemaining()
        ? Vectors.tried(source, endpoint.pollWrite(source, null))
        : nothing();
  }

  @Override
  protected final long doReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(targets);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollReadVectored(segments, cx.waker());
    Vectors.moved(cx, targets, n);
    return n;
  }

  @Override
  protected final long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(sources);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollWriteVectored(segments, cx.waker());
    Vectors.moved(cx, sources, n);
    return n;
  }

  @Override
  protected final long doTransfer(Context cx, DirectInput input) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    long n = endpoint.pollBeforeFile(cx.waker()); // to look for what is in memory is dear
    if (n == 0) {
      n = input.move(new SendFile(endpoint, cx));
    }
    if (n <= 0) {
      cx.refund();
    }
    return n == PENDING || n > 0 ? n : BY_MEMORY;
  }

  private record SendFile(StreamEndpoint endpoint, Context cx) implements DirectInput.Move {
    @Override
    public long make(int file, long position, int most) throws IOException {
      return endpoint.pollSendFile(file, position, most, cx.waker());
    }

    @Override
    public long makeBehind(ByteBuffer before, int file, long position, int most)
        throws IOException {
      while (before.hasRemaining()) {
        int n = endpoint.pollWriteBeforeFile(before, cx.waker());
        if (n == PENDING) {
          return PENDING;
        }
        before.position(before.position() + n);
      }
      return make(file, position, most);
    }
  }

  /** Nothing to do: the system sends what was written as soon as it can. */
  @Override
  protected final boolean doFlush(Context cx) throws IOException {
    nothing();
    return true;
  }

  @Override
  protected final boolean doShutdown(Context cx) throws IOException {
    endpoint.shutdownOutput(); // what was written goes first, without our waiting
    return true;
  }

  @Override
  public final void forgetRead() {
    endpoint.forgetReader();
  }

  @Override
  public final void forgetWrite() {
    endpoint.forgetWriter();
  }

  /** As {@link #read(ByteBuffer)}, but the bytes stay to be read again. */
  @CheckReturnValue
  public final IoFuture<Integer> peek(ByteBuffer target) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("a read-only buffer cannot be read into: " + target);
    }
    return reading(cx -> {
      int n = peek(cx, target);
      return n == PENDING ? null : n;
    });
  }

  private int peek(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return nothing();
    }
    return Vectors.moved(cx, target, endpoint.pollPeek(target, cx.waker()));
  }

  // --- Ending ---

  /**
   * Tells the peer that nothing more will be written; reading goes on. As {@link #shutdown}, which
   * does not wait here either.
   */
  public final void shutdownOutput() throws IOException {
    endpoint.shutdownOutput();
  }

  /** Ends reading; writing goes on. */
  @Override
  public final void shutdownInput() throws IOException {
    endpoint.shutdownInput();
  }

  /**
   * Closes the connection. Pending operations end with {@link
   * java.nio.channels.ClosedChannelException}. What was written is still sent.
   */
  @Override
  public final void close() {
    endpoint.close();
    unclosed.clean();
  }

  /** Whether it has not been closed. */
  public final boolean isOpen() {
    return endpoint.isOpen();
  }

  /** What a read or write of no bytes answers: the endpoint is not asked. */
  private int nothing() throws ClosedChannelException {
    if (!endpoint.isOpen()) {
      throw new ClosedChannelException();
    }
    return 0;
  }

  // --- Addresses and options ---

  /** This end's address. */
  public abstract SocketAddress localAddress() throws IOException;

  /** The peer's address. */
  public abstract SocketAddress remoteAddress() throws IOException;

  /**
   * Sets an option: one of {@link java.net.StandardSocketOptions}, of {@link NetOptions}, or of
   * module {@code jdk.net}.
   *
   * @throws UnsupportedOperationException if such a socket does not have it here; the message says
   *     which backend and which option
   */
  public abstract <T> SocketStream option(SocketOption<T> option, T value) throws IOException;

  /** The value of an option; see {@link #option(SocketOption, Object)}. */
  public final <T> T option(SocketOption<T> option) throws IOException {
    return endpoint.option(option);
  }

  @Override
  public final String toString() {
    if (!endpoint.isOpen()) {
      return kind + "[closed]";
    }
    try {
      return kind + "[" + endpoint.localAddress() + " to " + endpoint.remoteAddress() + "]";
    } catch (IOException e) {
      return kind + "[not connected]";
    }
  }
}
