package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.net.TcpStream;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * The client's side of TLS. Any number of tasks may use it. Sessions are resumed: keep one client
 * for all connections.
 *
 * {@snippet :
 * TlsClient tls = TlsClient.of(TlsConfig.create().alpn("http/1.1"));
 * try (TlsStream stream = tls.connect("example.org", 443).await()) {
 *   stream.writeAll(request).await();
 *   ...
 * }
 * }
 */
public final class TlsClient {
  /** Sessions are kept by host and port, and not at all without a port. */
  private static final int UNKNOWN_PORT = 0;

  private final Peers peers;

  private TlsClient(TlsConfig config) throws IOException {
    peers = Contexts.peers(config, true, TlsBuffers.create());
  }

  /**
   * A client of this configuration. Reads its files, so it blocks.
   *
   * @throws IllegalArgumentException if the configuration does not work; the message says why
   * @throws IOException if a file cannot be read
   */
  public static TlsClient of(TlsConfig config) throws IOException {
    return new TlsClient(Objects.requireNonNull(config, "config"));
  }

  /** Connects by TCP, and shakes hands. */
  @CheckReturnValue
  public IoFuture<TlsStream> connect(String host, int port) {
    return TcpStream.connect(host, port)
        .andThen(stream -> new HandshakeFuture(stream, peers, Optional.of(host), port));
  }

  /**
   * A handshake with the server {@code host} over a connection to it. Owns {@code transport} from
   * now on: it is closed with the stream, or when the handshake fails, is dropped, or takes too
   * long.
   *
   * <p>The future fails with {@link javax.net.ssl.SSLException} if the server's certificate is not
   * trusted or not for {@code host}, or the two do not agree otherwise.
   */
  @CheckReturnValue
  public IoFuture<TlsStream> connect(ByteStream transport, String host) {
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(host, "host");
    return Watched.io(new HandshakeFuture(transport, peers, Optional.of(host), portOf(transport)));
  }

  private static int portOf(ByteStream transport) {
    try {
      return transport instanceof TcpStream tcp ? tcp.remoteAddress().getPort() : UNKNOWN_PORT;
    } catch (IOException e) {
      return UNKNOWN_PORT; // it is not connected any more, and will say so itself
    }
  }
}
