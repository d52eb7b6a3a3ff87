package dev.blitz.io.net;

import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.driver.EndpointOption;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.net.SocketOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A connection between two programs of this machine; how it is shared and closed {@link
 * SocketStream} tells.
 *
 * {@snippet :
 * try (UnixStream admin = UnixStream.connect(Path.of("/run/app/admin.sock")).await()) {
 *   admin.writeAll(StandardCharsets.UTF_8.encode("status\n")).await();
 * }
 * }
 */
public final class UnixStream extends SocketStream {
  private UnixStream(StreamEndpoint endpoint) {
    super(endpoint, "UnixStream");
  }

  static UnixStream owning(StreamEndpoint endpoint) {
    try {
      return new UnixStream(endpoint);
    } catch (Throwable t) {
      endpoint.close();
      throw t;
    }
  }

  /** Connects to the socket at {@code path}; as {@link #connect(UnixAddress)}. */
  @CheckReturnValue
  public static IoFuture<UnixStream> connect(Path path) {
    return connect(UnixAddress.of(path));
  }

  /**
   * Connects to {@code remote}. While the queue of whoever listens is full it tries again now and
   * then, for as long as it is polled.
   *
   * <p>Fails with {@link java.net.ConnectException} if nobody listens there. The connection belongs
   * to the runtime of the task that makes this future, or, if it is made elsewhere, of the one that
   * polls it first.
   */
  @CheckReturnValue
  public static IoFuture<UnixStream> connect(UnixAddress remote) {
    Objects.requireNonNull(remote, "remote");
    return Watched.io(new UnixConnect(Current.home() == null ? null : NetHost.current(), remote));
  }

  /** Two streams that are connected with each other and have no name. */
  public static UnixStream[] pair() throws IOException {
    List<StreamEndpoint> ends = NetHost.sockets(NetHost.current()).openStreamPair();
    UnixStream first;
    try {
      first = owning(ends.getFirst());
    } catch (Throwable t) {
      ends.getLast().close();
      throw t;
    }
    try {
      return new UnixStream[] {first, owning(ends.getLast())};
    } catch (Throwable t) {
      first.close();
      ends.getLast().close();
      throw t;
    }
  }

  /** Who is at the other end. */
  public PeerCredentials peerCredentials() throws IOException {
    var peer = endpoint.option(EndpointOption.PEER_IDENTITY);
    return new PeerCredentials(peer.process(), peer.user(), peer.group());
  }

  /** Splits the stream for two owners; see {@link Halves}. */
  @Override
  public Halves<UnixStream> split() {
    return Halves.of(this);
  }

  @Override
  public UnixAddress localAddress() throws IOException {
    return UnixAddress.of(endpoint.localAddress());
  }

  @Override
  public UnixAddress remoteAddress() throws IOException {
    return UnixAddress.of(endpoint.remoteAddress());
  }

  @Override
  public <T> UnixStream option(SocketOption<T> option, T value) throws IOException {
    endpoint.setOption(option, value);
    return this;
  }
}
