package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.tls.TlsClient;
import dev.blitz.io.net.tls.TlsConfig;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** docs/guide/tls.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Tls {
  abstract void serve(ByteStream stream) throws IOException;

  void server(Path certificate, Path key) throws IOException {
    var tls = TlsServer.of(TlsConfig.pem(certificate, key).alpn("h2", "http/1.1"));
    try (var listener = TcpListener.bind(8443);
        var connections =
            TaskScope.open(
                supervise((client, e) -> IO.println(client + ": " + e)).and(limit(1000)))) {
      while (true) {
        var accepted = listener.accept().await();
        connections.spawn(
            owning(accepted),
            () -> {
              try (var stream = tls.accept(accepted).await()) {
                serve(stream);
                stream.shutdown().await();
              }
            });
      }
    }
  }

  static void client(ByteBuffer request) throws IOException {
    var tls = TlsClient.of(TlsConfig.create());
    try (var stream = tls.connect("example.org", 443).await()) {
      stream.writeAll(request).await();
      for (String line : Lines.of(stream)) {
        IO.println(line);
      }
    }
  }
}
