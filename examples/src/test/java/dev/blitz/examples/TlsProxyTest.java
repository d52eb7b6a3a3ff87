package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.tls.TlsClient;
import dev.blitz.io.net.tls.TlsConfig;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A protocol that knows nothing of TLS, through it. */
@Strict
class TlsProxyTest {

  private static Path file(String name) throws Exception {
    var resource = TlsProxyTest.class.getResource("tls-" + name + ".pem");
    return Path.of(Objects.requireNonNull(resource, name).toURI());
  }

  @Test
  void aServerWithoutTls_isAskedThroughIt() throws Exception {
    var tls = TlsServer.of(TlsConfig.pem(file("server"), file("server-key")));
    var client = TlsClient.of(TlsConfig.create().trust(file("ca")));
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(0)) {
        var server =
            Task.spawn(() -> {
              try (var peer = listener.accept().await()) {
                return SumProtocol.serve(peer);
              }
            });
        var front = TcpListener.bind(0);
        int port = front.localAddress().getPort();
        var proxy =
            Task.spawn(() -> {
              TlsProxy.serve(front, tls, listener.localAddress());
              return true;
            });
        try (var stream = client.connect("localhost", port).await()) {
          assertThat(SumProtocol.sum(stream, stream, 1, 2, 3, 4)).isEqualTo(10);
          stream.shutdown().await();
          assertThat(server.await()).isEqualTo(1);
        }
        proxy.cancel();
      }
    });
  }
}
