package dev.blitz.io.net;

import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.driver.StreamEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;

/**
 * A TCP connection; how it is shared and closed {@link SocketStream} tells.
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
public final class TcpStream extends SocketStream {
  private TcpStream(StreamEndpoint endpoint) {
    super(endpoint, "TcpStream");
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
    return builder().connect(host, port);
  }

  /** Connects to {@code remote}; one that is not resolved is looked up as above. */
  @CheckReturnValue
  public static IoFuture<TcpStream> connect(InetSocketAddress remote) {
    return builder().connect(remote);
  }

  /** Options first. */
  public static TcpBuilder builder() {
    return new TcpBuilder();
  }

  // --- Ending ---

  /** Closes the connection so that the peer sees a reset; what was not sent yet is lost. */
  public void reset() throws IOException {
    option(StandardSocketOptions.SO_LINGER, 0);
    close();
  }

  // --- Halves ---

  /** Splits the stream for two owners; see {@link Halves}. */
  @Override
  public Halves<TcpStream> split() {
    return Halves.of(this);
  }

  // --- Addresses and options ---

  @Override
  public InetSocketAddress localAddress() throws IOException {
    return (InetSocketAddress) endpoint.localAddress();
  }

  @Override
  public InetSocketAddress remoteAddress() throws IOException {
    return (InetSocketAddress) endpoint.remoteAddress();
  }

  @Override
  public <T> TcpStream option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }

  /** Sends small writes at once, instead of waiting for an answer to the ones before. */
  public TcpStream noDelay(boolean on) throws IOException {
    return option(StandardSocketOptions.TCP_NODELAY, on);
  }

  /** See {@link #noDelay(boolean)}. */
  public boolean noDelay() throws IOException {
    return option(StandardSocketOptions.TCP_NODELAY);
  }

  /** Lets the system find out whether an idle peer is still there. */
  public TcpStream keepAlive(boolean on) throws IOException {
    return option(StandardSocketOptions.SO_KEEPALIVE, on);
  }

  /** See {@link #keepAlive(boolean)}. */
  public boolean keepAlive() throws IOException {
    return option(StandardSocketOptions.SO_KEEPALIVE);
  }

  /**
   * How many seconds a close waits for unsent bytes to be acknowledged; 0 resets the connection, -1
   * (the default) sends them in the background. A close that may wait does so on a thread kept for
   * that.
   */
  public TcpStream linger(int seconds) throws IOException {
    return option(StandardSocketOptions.SO_LINGER, seconds);
  }

  /** See {@link #linger(int)}. */
  public int linger() throws IOException {
    return option(StandardSocketOptions.SO_LINGER);
  }

  /** Bytes that the system keeps for sending; it may take the number for a hint. */
  public TcpStream sendBuffer(int bytes) throws IOException {
    return option(StandardSocketOptions.SO_SNDBUF, bytes);
  }

  /** See {@link #sendBuffer(int)}. */
  public int sendBuffer() throws IOException {
    return option(StandardSocketOptions.SO_SNDBUF);
  }

  /** Bytes that the system keeps for receiving. */
  public TcpStream receiveBuffer(int bytes) throws IOException {
    return option(StandardSocketOptions.SO_RCVBUF, bytes);
  }

  /** See {@link #receiveBuffer(int)}. */
  public int receiveBuffer() throws IOException {
    return option(StandardSocketOptions.SO_RCVBUF);
  }

  /** The type of service, or traffic class, of what is sent. */
  public TcpStream trafficClass(int value) throws IOException {
    return option(StandardSocketOptions.IP_TOS, value);
  }

  /** See {@link #trafficClass(int)}. */
  public int trafficClass() throws IOException {
    return option(StandardSocketOptions.IP_TOS);
  }

  /** How many routers what is sent may pass. */
  public TcpStream timeToLive(int hops) throws IOException {
    return option(NetOptions.TIME_TO_LIVE, hops);
  }

  /** See {@link #timeToLive(int)}. */
  public int timeToLive() throws IOException {
    return option(NetOptions.TIME_TO_LIVE);
  }
}
