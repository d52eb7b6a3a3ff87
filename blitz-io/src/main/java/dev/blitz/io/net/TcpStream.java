package dev.blitz.io.net;

import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.driver.Vectors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * A TCP connection.
 *
 * <p>One task may read while another writes, and anybody may close; of reads and of writes there
 * can be one at a time: a second one fails with {@link IllegalStateException}. Tasks that share a
 * stream hold a {@link dev.blitz.io.sync.Mutex} around each whole message, or send their messages
 * by a {@link dev.blitz.io.channel.Channel} to one task that writes. A buffer may be direct or on
 * the heap; direct ones save a copy. A pending operation may be dropped at any time: a dropped read
 * has lost no byte (the next read gets them), a dropped write has sent what the buffer's position
 * says.
 *
 * {@snippet :
 * try (TcpStream stream = TcpStream.connect("example.org", 80).await()) {
 *   stream.writeAll(StandardCharsets.US_ASCII.encode("GET / HTTP/1.0\r\n\r\n")).await();
 *   var buffer = ByteBuffer.allocateDirect(4096);
 *   while (stream.read(buffer).await() >= 0) {
 *     handle(buffer.flip());
 *     buffer.clear();
 *   }
 * }
 * }
 */
public final class TcpStream extends GuardedStream {
  final StreamEndpoint endpoint;
  private final Cleaner.Cleanable unclosed;

  private TcpStream(StreamEndpoint endpoint) {
    this.endpoint = endpoint;
    unclosed = LostHandles.watch(this, endpoint, "TcpStream");
  }

  /** The owner of {@code endpoint}, which is closed if there is no memory for one. */
  static TcpStream owning(StreamEndpoint endpoint) {
    try {
      return new TcpStream(endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  // --- Making one ---

  /**
   * Connects to {@code host}, trying its addresses one after the other. The name is looked up on a
   * thread that is kept for that.
   *
   * <p>The connection belongs to the runtime of the task that makes this future, or, if it is made
   * elsewhere, of the one that polls it first.
   */
  @CheckReturnValue
  public static IoFuture<TcpStream> connect(String host, int port) {
    return TcpSocket.builder().connect(host, port);
  }

  /** Connects to {@code remote}; one that is not resolved is looked up as above. */
  @CheckReturnValue
  public static IoFuture<TcpStream> connect(InetSocketAddress remote) {
    return TcpSocket.builder().connect(remote);
  }

  // --- Bytes ---

  @Override
  protected int doRead(Context cx, ByteBuffer target) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!target.hasRemaining()) {
      return nothing();
    }
    int n = endpoint.pollRead(target, cx.waker());
    moved(cx, target, n);
    return n;
  }

  @Override
  protected int doWrite(Context cx, ByteBuffer source) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    if (!source.hasRemaining()) {
      return nothing();
    }
    int n = endpoint.pollWrite(source, cx.waker());
    moved(cx, source, n);
    return n;
  }

  @Override
  protected int doTryRead(ByteBuffer target) throws IOException {
    return target.hasRemaining() ? tried(target, endpoint.pollRead(target, null)) : nothing();
  }

  @Override
  protected int doTryWrite(ByteBuffer source) throws IOException {
    return source.hasRemaining() ? tried(source, endpoint.pollWrite(source, null)) : nothing();
  }

  private static int tried(ByteBuffer buffer, int n) {
    if (n > 0) {
      buffer.position(buffer.position() + n);
    }
    return n;
  }

  private static void moved(Context cx, ByteBuffer buffer, int n) {
    if (n > 0) {
      buffer.position(buffer.position() + n);
    } else if (n == PENDING) {
      cx.refund();
    }
  }

  @Override
  protected long doReadVectored(Context cx, ByteBuffer... targets) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(targets);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollReadVectored(segments, segments.length, cx.waker());
    Vectors.moved(cx, targets, n);
    return n;
  }

  @Override
  protected long doWriteVectored(Context cx, ByteBuffer... sources) throws IOException {
    if (!cx.proceed()) {
      return PENDING;
    }
    MemorySegment[] segments = Vectors.segments(sources);
    if (segments.length == 0) {
      return nothing();
    }
    long n = endpoint.pollWriteVectored(segments, segments.length, cx.waker());
    Vectors.moved(cx, sources, n);
    return n;
  }

  /** Nothing to do: the system sends what was written as soon as it can. */
  @Override
  protected boolean doFlush(Context cx) throws IOException {
    nothing();
    return true;
  }

  @Override
  protected boolean doShutdown(Context cx) throws IOException {
    endpoint.shutdownOutput(); // what was written goes first, without our waiting
    return true;
  }

  @Override
  public void forgetRead() {
    endpoint.forgetReader();
  }

  @Override
  public void forgetWrite() {
    endpoint.forgetWriter();
  }

  /** As {@link #read(ByteBuffer)}, but the bytes stay to be read again. */
  @CheckReturnValue
  public IoFuture<Integer> peek(ByteBuffer target) {
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
    int n = endpoint.pollPeek(target, cx.waker());
    moved(cx, target, n);
    return n;
  }

  // --- Ending ---

  /**
   * Tells the peer that nothing more will be written; reading goes on. As {@link #shutdown}, which
   * does not wait here either.
   */
  public void shutdownOutput() throws IOException {
    endpoint.shutdownOutput();
  }

  /** Ends reading; writing goes on. */
  @Override
  public void shutdownInput() throws IOException {
    endpoint.shutdownInput();
  }

  /**
   * Closes the connection. Pending operations end with {@link
   * java.nio.channels.ClosedChannelException}. What was written is still sent.
   */
  @Override
  public void close() {
    endpoint.close();
    unclosed.clean();
  }

  /** Closes the connection so that the peer sees a reset; what was not sent yet is lost. */
  public void reset() throws IOException {
    endpoint.setOption(EndpointOption.LINGER_SECONDS, 0);
    close();
  }

  /** Whether neither {@link #close} nor {@link #reset} has been called. */
  public boolean isOpen() {
    return endpoint.isOpen();
  }

  // --- Halves ---

  /** Splits the stream for two owners; see {@link Halves}. */
  @Override
  public Halves<TcpStream> split() {
    return Halves.of(this);
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
  public InetSocketAddress localAddress() throws IOException {
    return endpoint.localAddress();
  }

  /** The peer's address. */
  public InetSocketAddress remoteAddress() throws IOException {
    return endpoint.remoteAddress();
  }

  /** Sends small writes at once, instead of waiting for an answer to the ones before. */
  public TcpStream noDelay(boolean on) throws IOException {
    return set(EndpointOption.NO_DELAY, on ? 1 : 0);
  }

  /** See {@link #noDelay(boolean)}. */
  public boolean noDelay() throws IOException {
    return endpoint.option(EndpointOption.NO_DELAY) != 0;
  }

  /** Lets the system find out whether an idle peer is still there. */
  public TcpStream keepAlive(boolean on) throws IOException {
    return set(EndpointOption.KEEP_ALIVE, on ? 1 : 0);
  }

  /** See {@link #keepAlive(boolean)}. */
  public boolean keepAlive() throws IOException {
    return endpoint.option(EndpointOption.KEEP_ALIVE) != 0;
  }

  /**
   * How many seconds a close waits for unsent bytes to be acknowledged; 0 resets the connection, -1
   * (the default) sends them in the background. A close that may wait does so on a thread kept for
   * that.
   */
  public TcpStream linger(int seconds) throws IOException {
    return set(EndpointOption.LINGER_SECONDS, seconds);
  }

  /** See {@link #linger(int)}. */
  public int linger() throws IOException {
    return endpoint.option(EndpointOption.LINGER_SECONDS);
  }

  /** Bytes that the system keeps for sending; it may take the number for a hint. */
  public TcpStream sendBuffer(int bytes) throws IOException {
    return set(EndpointOption.SEND_BUFFER, bytes);
  }

  /** See {@link #sendBuffer(int)}. */
  public int sendBuffer() throws IOException {
    return endpoint.option(EndpointOption.SEND_BUFFER);
  }

  /** Bytes that the system keeps for receiving. */
  public TcpStream receiveBuffer(int bytes) throws IOException {
    return set(EndpointOption.RECEIVE_BUFFER, bytes);
  }

  /** See {@link #receiveBuffer(int)}. */
  public int receiveBuffer() throws IOException {
    return endpoint.option(EndpointOption.RECEIVE_BUFFER);
  }

  /** The type of service, or traffic class, of what is sent. */
  public TcpStream trafficClass(int value) throws IOException {
    return set(EndpointOption.TRAFFIC_CLASS, value);
  }

  /** See {@link #trafficClass(int)}. */
  public int trafficClass() throws IOException {
    return endpoint.option(EndpointOption.TRAFFIC_CLASS);
  }

  /** How many routers what is sent may pass. */
  public TcpStream timeToLive(int hops) throws IOException {
    return set(EndpointOption.TIME_TO_LIVE, hops);
  }

  /** See {@link #timeToLive(int)}. */
  public int timeToLive() throws IOException {
    return endpoint.option(EndpointOption.TIME_TO_LIVE);
  }

  private TcpStream set(EndpointOption option, int value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }

  @Override
  public String toString() {
    if (!endpoint.isOpen()) {
      return "TcpStream[closed]";
    }
    try {
      return "TcpStream[" + endpoint.localAddress() + " to " + endpoint.remoteAddress() + "]";
    } catch (IOException e) {
      return "TcpStream[not connected]";
    }
  }
}
