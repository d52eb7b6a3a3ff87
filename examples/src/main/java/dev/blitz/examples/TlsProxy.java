package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.net.tls.TlsConfig;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Puts TLS before a server that has none: decrypts what comes and passes it on.
 *
 * <p>Shows: TlsServer, Bytes.copyBothWays, a scope that survives its clients. Run: {@code ./blitz
 * example TlsProxy certificate.pem key.pem 8443 localhost 8080}, then {@code curl -k
 * https://localhost:8443}.
 */
public final class TlsProxy {
  private static final int MOST_CONNECTIONS = 1_000;
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private TlsProxy() {}

  /** Serves until it is killed: certificate, key, port, and host and port of the server behind. */
  public static void main(String[] args) throws Exception {
    if (args.length != 5 || !(args[2] + args[4]).matches("\\d{2,10}")) {
      IO.println("chain and key (PEM), port to listen on, host and port behind: all five");
      return;
    }
    var tls = TlsServer.of(TlsConfig.pem(Path.of(args[0]), Path.of(args[1])));
    var behind = InetSocketAddress.createUnresolved(args[3], Integer.parseInt(args[4]));
    Blitz.run(() -> serve(TcpListener.bind(Integer.parseInt(args[2])), tls, behind));
  }

  /** Accepts for ever. */
  static void serve(TcpListener listener, TlsServer tls, InetSocketAddress behind)
      throws IOException {
    try (listener;
        var connections =
            TaskScope.open(
                supervise((client, e) -> IO.println(client + ": " + e))
                    .and(limit(MOST_CONNECTIONS)))) {
      while (true) {
        var accepted = listener.accept().await();
        connections.spawn(owning(accepted), () -> pass(accepted, tls, behind));
      }
    }
  }

  private static void pass(TcpStream accepted, TlsServer tls, InetSocketAddress behind)
      throws IOException {
    try (var client = tls.accept(accepted).timeout(LIMIT).await();
        var server = TcpStream.connect(behind).timeout(LIMIT).await()) {
      Bytes.copyBothWays(client, server).await();
    }
  }
}
