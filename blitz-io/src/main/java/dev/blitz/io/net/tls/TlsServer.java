package dev.blitz.io.net.tls;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * The server's side of TLS. Any number of tasks may use it.
 *
 * {@snippet :
 * TlsServer tls = TlsServer.of(TlsConfig.pem(certificate, key).alpn("h2", "http/1.1"));
 * while (true) {
 *   TcpStream accepted = listener.accept().await();
 *   Task.spawn(SpawnOptions.owning(accepted), () -> {
 *     try (TlsStream stream = tls.accept(accepted).await()) {
 *       serve(stream);
 *     }
 *   });
 * }
 * }
 */
public final class TlsServer {
  private final TlsBuffers buffers = TlsBuffers.create();

  /** What the next handshake is made with; replaced as a whole by a reload. */
  private volatile Peers peers;

  private TlsServer(TlsConfig config) throws IOException {
    peers = Contexts.peers(config, false, buffers);
  }

  /**
   * A server of this configuration. Reads its files, so it blocks: call it before serving, or by
   * {@code Task.spawnBlocking}.
   *
   * @throws IllegalArgumentException if the configuration does not work; the message says why
   * @throws IOException if a file cannot be read
   */
  public static TlsServer of(TlsConfig config) throws IOException {
    return new TlsServer(Objects.requireNonNull(config, "config"));
  }

  /**
   * A handshake with a client. Owns {@code transport} from now on: it is closed with the stream, or
   * when the handshake fails, is dropped, or takes too long.
   *
   * <p>The future fails with {@link javax.net.ssl.SSLException} if the two do not agree, and with
   * {@link dev.blitz.io.future.TimedOutException} if the client takes too long.
   */
  @CheckReturnValue
  public IoFuture<TlsStream> accept(ByteStream transport) {
    Objects.requireNonNull(transport, "transport");
    return Watched.io(new HandshakeFuture(transport, peers, Optional.empty(), -1));
  }

  /**
   * Reads the files of the configuration again, for handshakes from now on; connections that are
   * open stay as they are. If that fails nothing has changed. Blocks.
   */
  public void reload() throws IOException {
    reload(peers.config());
  }

  /** As {@link #reload()} with another configuration. */
  public void reload(TlsConfig config) throws IOException {
    peers = Contexts.peers(Objects.requireNonNull(config, "config"), false, buffers);
  }

  TlsBuffers buffers() {
    return buffers;
  }
}
