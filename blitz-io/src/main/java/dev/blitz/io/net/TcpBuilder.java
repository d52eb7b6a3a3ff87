package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.NetEndpoint;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes TCP sockets with options of your own: these first, then {@link #listen} or {@link
 * #connect}, any number of times. What is not said is as the system has it, except that a listener
 * may reuse its address. Not thread safe.
 *
 * {@snippet :
 * TcpListener listener = TcpListener.builder().reusePort(true).backlog(4096).listen(8080);
 * TcpStream stream = TcpStream.builder().noDelay(true).connect("example.org", 80).await();
 * }
 */
public final class TcpBuilder {
  private static final int DEFAULT_BACKLOG = 1024;

  private final OptionValues options = new OptionValues();
  private @Nullable InetSocketAddress local;
  private int backlog = DEFAULT_BACKLOG;

  TcpBuilder() {}

  // --- Options ---

  /**
   * Whether an address may be bound while old connections of it linger; listeners do by default.
   */
  public TcpBuilder reuseAddress(boolean on) {
    return option(StandardSocketOptions.SO_REUSEADDR, on);
  }

  /** Whether several sockets may listen on the same address, and share its connections. */
  public TcpBuilder reusePort(boolean on) {
    return option(StandardSocketOptions.SO_REUSEPORT, on);
  }

  /** Connections that may wait to be accepted; 1024 by default, and the system has its limit. */
  public TcpBuilder backlog(int connections) {
    if (connections < 1) {
      throw new IllegalArgumentException("backlog must be at least 1, not " + connections);
    }
    this.backlog = connections;
    return this;
  }

  /** See {@link TcpStream#noDelay(boolean)}. */
  public TcpBuilder noDelay(boolean on) {
    return option(StandardSocketOptions.TCP_NODELAY, on);
  }

  /** See {@link TcpStream#keepAlive(boolean)}. */
  public TcpBuilder keepAlive(boolean on) {
    return option(StandardSocketOptions.SO_KEEPALIVE, on);
  }

  /** Keep-alive with its own times: after {@code idle} seconds, each {@code interval} seconds. */
  public TcpBuilder keepAlive(int idleSeconds, int intervalSeconds, int probes) {
    option(StandardSocketOptions.SO_KEEPALIVE, true);
    option(NetOptions.KEEP_ALIVE_IDLE_SECONDS, idleSeconds);
    option(NetOptions.KEEP_ALIVE_INTERVAL_SECONDS, intervalSeconds);
    return option(NetOptions.KEEP_ALIVE_PROBES, probes);
  }

  /** See {@link TcpStream#linger(int)}. */
  public TcpBuilder linger(int seconds) {
    return option(StandardSocketOptions.SO_LINGER, seconds);
  }

  /** See {@link TcpStream#sendBuffer(int)}. */
  public TcpBuilder sendBuffer(int bytes) {
    return option(StandardSocketOptions.SO_SNDBUF, bytes);
  }

  /** See {@link TcpStream#receiveBuffer(int)}; accepted connections inherit it. */
  public TcpBuilder receiveBuffer(int bytes) {
    return option(StandardSocketOptions.SO_RCVBUF, bytes);
  }

  /** See {@link TcpStream#trafficClass(int)}. */
  public TcpBuilder trafficClass(int value) {
    return option(StandardSocketOptions.IP_TOS, value);
  }

  /** See {@link TcpStream#timeToLive(int)}. */
  public TcpBuilder timeToLive(int hops) {
    return option(NetOptions.TIME_TO_LIVE, hops);
  }

  /** The own address to connect from. */
  public TcpBuilder bind(InetSocketAddress local) {
    this.local = Objects.requireNonNull(local, "local");
    return this;
  }

  /** Any other option; see {@link SocketStream#option(SocketOption, Object)}. */
  public <T> TcpBuilder option(SocketOption<T> option, T value) {
    options.put(option, value);
    return this;
  }

  // --- Listening ---

  /** See {@link TcpListener#bind(int)}. */
  public TcpListener listen(int port) throws IOException {
    return listen(new InetSocketAddress(port));
  }

  /** See {@link TcpListener#bind(InetSocketAddress)}. */
  public TcpListener listen(InetSocketAddress local) throws IOException {
    InetSocketAddress own = NetHost.known(local);
    Services services = NetHost.current();
    ListenerEndpoint endpoint = NetHost.open(own, NetHost.sockets(services)::openListener);
    try {
      if (leavesReuseOpen()) {
        endpoint.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      }
      options.applyTo(endpoint);
      endpoint.bind(own);
      endpoint.listen(backlog);
      return new TcpListener(services, endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  // --- Connecting ---

  /** See {@link TcpStream#connect(String, int)}. */
  @CheckReturnValue
  public IoFuture<TcpStream> connect(String host, int port) {
    return connect(InetSocketAddress.createUnresolved(host, port));
  }

  /** See {@link TcpStream#connect(InetSocketAddress)}. */
  @CheckReturnValue
  public IoFuture<TcpStream> connect(InetSocketAddress remote) {
    Objects.requireNonNull(remote, "remote");
    return Watched.io(
        new ConnectFuture(Current.home() == null ? null : NetHost.current(), copy(), remote));
  }

  private TcpBuilder copy() {
    var copy = new TcpBuilder();
    copy.options.putAll(options);
    copy.local = local;
    return copy;
  }

  /** Sets the options that this builder was given. */
  void applyTo(NetEndpoint endpoint) throws IOException {
    options.applyTo(endpoint);
  }

  /** Whether nobody has said if an address may be reused. */
  boolean leavesReuseOpen() {
    return !options.contains(StandardSocketOptions.SO_REUSEADDR);
  }

  @Nullable InetSocketAddress local() {
    return local;
  }
}
