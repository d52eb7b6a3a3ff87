package dev.blitz.io.net.tls;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The certificates of the tests, and what tests do with TLS. */
final class TlsWorld {
  static final String HOST = "localhost";

  private TlsWorld() {}

  static Path file(String name) {
    try {
      var resource = TlsWorld.class.getResource(name + ".pem");
      if (resource == null) {
        throw new AssertionError("no resource " + name);
      }
      return Path.of(resource.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  static String text(String name) {
    try {
      return Files.readString(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server's configuration with a certificate of the tests. */
  static TlsConfig serverConfig(String certificate) {
    return TlsConfig.pem(file(certificate), file(certificate + "-key"));
  }

  static TlsServer server() throws IOException {
    return TlsServer.of(serverConfig("server"));
  }

  /** A client's configuration that trusts the authority of the tests. */
  static TlsConfig clientConfig() {
    return TlsConfig.create().trust(file("ca"));
  }

  static TlsClient client() throws IOException {
    return TlsClient.of(clientConfig());
  }

  /** Two ends of a TLS connection: the client's first. */
  record Pair(TlsStream client, TlsStream server) implements AutoCloseable {
    ByteStream[] ends() {
      return new ByteStream[] {client, server};
    }

    @Override
    public void close() {
      client.close();
      server.close();
    }
  }

  static Pair shake(
      BlitzRuntime runtime, TlsClient client, TlsServer server, ByteStream near, ByteStream far)
      throws Exception {
    return shake(runtime, client, HOST, server, near, far);
  }

  static Pair shake(
      BlitzRuntime runtime,
      TlsClient client,
      String host,
      TlsServer server,
      ByteStream near,
      ByteStream far)
      throws Exception {
    var accepting = runtime.spawn(server.accept(far));
    var connecting = runtime.spawn(client.connect(near, host));
    TlsStream connected;
    try {
      connected = connecting.await();
    } catch (Throwable t) {
      accepting.cancel();
      throw t;
    }
    return new Pair(connected, accepting.await());
  }

  /** A pair over a wire with much room. */
  static Pair shake(BlitzRuntime runtime, TlsClient client, TlsServer server) throws Exception {
    Wire[] wire = Wire.pair(1 << 17);
    return shake(runtime, client, server, wire[0], wire[1]);
  }

  /** Two ends of one TCP connection. */
  static TcpStream[] tcp(BlitzRuntime runtime) throws Exception {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = runtime.run(Futures.lazy(() -> TcpListener.bind(loopback)))) {
      var connecting = runtime.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress())));
      var client = connecting.await();
      return new TcpStream[] {client, listener.accept().await()};
    }
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads {@code length} bytes, or fewer if the stream ends. */
  static String read(ByteReader from, int length) throws IOException {
    var buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && from.read(buffer).await() >= 0) {
      // go on
    }
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  /** Both directions carry bytes. */
  static boolean echoes(Pair pair) throws IOException {
    pair.client().writeAll(bytes("ping")).await();
    pair.client().flush().await();
    if (!read(pair.server(), 4).equals("ping")) {
      return false;
    }
    pair.server().writeAll(bytes("pong")).await();
    pair.server().flush().await();
    return read(pair.client(), 4).equals("pong");
  }

  static @Nullable Throwable failureOf(dev.blitz.io.future.ThrowingSupplier<?> body) {
    try {
      body.get();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }
}
