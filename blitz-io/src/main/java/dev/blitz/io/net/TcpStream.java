package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.StreamEndpoint;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
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
public final class TcpStream implements AutoCloseable {
  /** What {@link #pollRead} and {@link #pollWrite} answer while there is nothing to be done. */
  public static final int PENDING = StreamEndpoint.PENDING;

  final StreamEndpoint endpoint;
  final Side reading =
      new Side("read", "let one task read, and pass what it got to the others by a Channel");
  final Side writing =
      new Side(
          "write",
          "several tasks that write hold a Mutex around each message, or send their messages by a"
              + " Channel to one task that writes");
  private final Cleaner.Cleanable unclosed;
  private volatile boolean split;

  TcpStream(StreamEndpoint endpoint) {
    this.endpoint = endpoint;
    unclosed = Unclosed.watch(this, endpoint, "TcpStream");
  }

  // --- Making one ---

  /**
   * Connects to {@code host}, trying its addresses one after the other. The name is looked up on a
   * thread that is kept for that.
   *
   * @throws IllegalStateException if called outside a task: the connection belongs to a runtime
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

  // --- Reading ---

  /**
   * Reads what has arrived, at least one byte, into what remains of {@code target}, and moves its
   * position on.
   *
   * @return how many bytes; -1 at the end of the stream; 0 only if nothing remains in the buffer
   */
  @CheckReturnValue
  public IoFuture<Integer> read(ByteBuffer target) {
    checkWhole();
    return new Reads.Some(this, target, false);
  }

  /** As {@link #read(ByteBuffer)} into the beginning of {@code target}. */
  @CheckReturnValue
  public IoFuture<Integer> read(MemorySegment target) {
    checkWhole();
    return new Reads.IntoSegment(this, target);
  }

  /** As {@link #read(ByteBuffer)}, but the bytes stay to be read again. */
  @CheckReturnValue
  public IoFuture<Integer> peek(ByteBuffer target) {
    checkWhole();
    return new Reads.Some(this, target, true);
  }

  /**
   * Fills {@code target}. If the stream ends before, the future fails with {@link
   * java.io.EOFException}; the bytes that came are in the buffer.
   */
  @CheckReturnValue
  public IoFuture<Done> readFully(ByteBuffer target) {
    checkWhole();
    return new Reads.Fully(this, target);
  }

  /** Reads into several buffers in order, as far as bytes have arrived; -1 at the end. */
  @CheckReturnValue
  public IoFuture<Long> readVectored(ByteBuffer... targets) {
    checkWhole();
    return new Reads.Vectored(this, targets);
  }

  /**
   * A read for hand-written futures: no object, no boxing.
   *
   * @return how many bytes, -1 at the end, or {@link #PENDING}: then the waker of {@code cx} will
   *     be woken
   * @throws IllegalStateException if a read that was begun otherwise is pending
   */
  public int pollRead(Context cx, ByteBuffer target) throws IOException {
    checkWhole();
    if (!cx.proceed()) {
      return PENDING;
    }
    reading.claim(target);
    try {
      return Reads.tryRead(this, cx, Buffers.writable(target), false);
    } finally {
      reading.release();
      Reference.reachabilityFence(this);
    }
  }

  // --- Writing ---

  /**
   * Writes some of what remains in {@code source}, and moves its position on: what could be taken
   * at once.
   *
   * @return how many bytes; 0 only if nothing remains
   */
  @CheckReturnValue
  public IoFuture<Integer> write(ByteBuffer source) {
    checkWhole();
    return new Writes.Some(this, source);
  }

  /** As {@link #write(ByteBuffer)} from the beginning of {@code source}. */
  @CheckReturnValue
  public IoFuture<Integer> write(MemorySegment source) {
    checkWhole();
    return new Writes.FromSegment(this, source);
  }

  /** Writes all that remains in {@code source}. Dropped, it has written up to the position. */
  @CheckReturnValue
  public IoFuture<Done> writeAll(ByteBuffer source) {
    checkWhole();
    return new Writes.All(this, source);
  }

  /** Writes all of {@code source}. */
  @CheckReturnValue
  public IoFuture<Done> writeAll(MemorySegment source) {
    checkWhole();
    return new Writes.AllOfSegment(this, source);
  }

  /** Writes some of what remains in several buffers, in order. */
  @CheckReturnValue
  public IoFuture<Long> writeVectored(ByteBuffer... sources) {
    checkWhole();
    return new Writes.Vectored(this, sources);
  }

  /** A write for hand-written futures; see {@link #pollRead}. */
  public int pollWrite(Context cx, ByteBuffer source) throws IOException {
    checkWhole();
    if (!cx.proceed()) {
      return PENDING;
    }
    writing.claim(source);
    try {
      return Writes.tryWrite(this, cx, source);
    } finally {
      writing.release();
      Reference.reachabilityFence(this);
    }
  }

  // --- Ending ---

  /** Tells the peer that nothing more will be written; reading goes on. */
  public void shutdownOutput() throws IOException {
    checkWhole();
    endpoint.shutdownOutput();
  }

  /** Ends reading; writing goes on. */
  public void shutdownInput() throws IOException {
    checkWhole();
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

  /**
   * Splits the stream for two owners. This object must not be used until the halves are {@linkplain
   * TcpReadHalf#reunite reunited}; closing it still closes everything.
   */
  public TcpHalves split() {
    checkWhole();
    split = true;
    var shared = new TcpHalves.Shared(this);
    return new TcpHalves(new TcpReadHalf(shared), new TcpWriteHalf(shared));
  }

  void becomeWhole() {
    split = false;
  }

  /** What a read or write of no bytes answers: the endpoint is not asked. */
  int nothing() throws ClosedChannelException {
    if (!endpoint.isOpen()) {
      throw new ClosedChannelException();
    }
    return 0;
  }

  private void checkWhole() {
    if (split) {
      throw new IllegalStateException("this stream has been split: use its halves");
    }
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
