package dev.blitz.io.net.tls;

import static dev.blitz.io.net.tls.TlsWorld.bytes;
import static dev.blitz.io.net.tls.TlsWorld.clientConfig;
import static dev.blitz.io.net.tls.TlsWorld.file;
import static dev.blitz.io.net.tls.TlsWorld.serverConfig;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each kind of bad input: both sides are told why, in time, and nothing is left open. */
@Strict
class TlsRefusalTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  /** What each side was told. */
  private record Refusal(Throwable client, Throwable server) {
    String toClient() {
      return told(client);
    }

    String toServer() {
      return told(server);
    }

    private static String told(Throwable failure) {
      var text = new StringBuilder();
      for (Throwable t = failure; t != null; t = t.getCause()) {
        text.append(t).append('\n');
      }
      return text.toString();
    }
  }

  private Refusal refusal(TlsConfig client, String host, TlsConfig server) throws Exception {
    return refusal(TlsClient.of(client), host, TlsServer.of(server));
  }

  /**
   * In TLS 1.3 a client may be done before the server has refused it, and learns by its first read.
   */
  private Refusal refusal(TlsClient client, String host, TlsServer server) throws Exception {
    Refusal over = null;
    for (boolean tcp : new boolean[] {false, true}) {
      ByteStream[] ends = tcp ? TlsWorld.tcp(runtime) : Wire.pair(1 << 16);
      var accepting = runtime.spawn(server.accept(ends[1]).andThen(TlsRefusalTest::firstByte));
      var connecting =
          runtime.spawn(client.connect(ends[0], host).andThen(TlsRefusalTest::firstByte));
      Throwable clientSide = TlsWorld.failureOf(connecting::await);
      Throwable serverSide = TlsWorld.failureOf(accepting::await);
      assertThat(clientSide).as("the client was told").isNotNull();
      assertThat(serverSide).as("the server was told").isNotNull();
      over = new Refusal(clientSide, serverSide);
      for (ByteStream end : ends) {
        assertThat(TlsWorld.failureOf(() -> end.tryRead(ByteBuffer.allocate(1))))
            .isInstanceOf(java.nio.channels.ClosedChannelException.class);
      }
    }
    return over;
  }

  private static dev.blitz.io.future.Future<Integer> firstByte(TlsStream stream) {
    return stream.read(ByteBuffer.allocate(1)).whenDone(stream::close);
  }

  @Test
  void anExpiredCertificate() throws Exception {
    Refusal both = refusal(clientConfig(), TlsWorld.HOST, serverConfig("expired"));
    assertThat(both.toClient()).contains("SSLHandshakeException").contains("NotAfter");
    assertThat(both.toServer()).contains("certificate_expired");
  }

  @Test
  void anotherHostsCertificate() throws Exception {
    Refusal both = refusal(clientConfig(), TlsWorld.HOST, serverConfig("second"));
    assertThat(both.toClient()).contains("No subject alternative DNS name matching localhost");
    assertThat(both.toServer()).contains("certificate_unknown");
  }

  @Test
  void aSelfSignedCertificate() throws Exception {
    Refusal both = refusal(clientConfig(), TlsWorld.HOST, serverConfig("selfsigned"));
    assertThat(both.toClient()).contains("unable to find valid certification path");
    assertThat(both.toServer()).contains("certificate_unknown");
  }

  @Test
  void anUnknownIssuer() throws Exception {
    Refusal both = refusal(clientConfig(), TlsWorld.HOST, serverConfig("stranger"));
    assertThat(both.toClient()).contains("PKIX path");
    assertThat(both.toServer()).contains("Received fatal alert");
    Refusal byTheJdk = refusal(TlsConfig.create(), TlsWorld.HOST, serverConfig("server"));
    assertThat(byTheJdk.toClient()).contains("unable to find valid certification path");
  }

  @Test
  void aClientWithoutCertificate_orWithOneOfAStranger() throws Exception {
    TlsConfig server =
        serverConfig("server").trust(file("ca")).clientCertificates(ClientCertificates.REQUIRED);
    for (String version : new String[] {"TLSv1.3", "TLSv1.2"}) {
      Refusal none = refusal(clientConfig().protocols(version), TlsWorld.HOST, server);
      assertThat(none.toServer()).contains("Empty client certificate chain");
      assertThat(none.toClient())
          .contains("Received fatal alert: ")
          .containsAnyOf("certificate_required", "handshake_failure");
    }
    TlsConfig stranger = clientConfig().certificate(file("stranger"), file("stranger-key"));
    // It shows none, since the server says whom it trusts.
    Refusal unknown = refusal(stranger, TlsWorld.HOST, server);
    assertThat(unknown.toServer()).contains("Empty client certificate chain");
  }

  @Test
  void aClientWithAnExpiredCertificate() throws Exception {
    TlsConfig server =
        serverConfig("server").trust(file("ca")).clientCertificates(ClientCertificates.REQUIRED);
    TlsConfig client = clientConfig().certificate(file("expired"), file("expired-key"));
    Refusal both = refusal(client, TlsWorld.HOST, server);
    assertThat(both.toServer()).contains("NotAfter");
    assertThat(both.toClient()).contains("Received fatal alert: certificate_unknown");
  }

  @Test
  void noCommonVersion() throws Exception {
    Refusal both =
        refusal(
            clientConfig().protocols("TLSv1.2"),
            TlsWorld.HOST,
            serverConfig("server").protocols("TLSv1.3"));
    assertThat(both.toClient()).contains("protocol_version");
    assertThat(both.toServer()).contains("TLS");
  }

  @Test
  void noCommonCipher() throws Exception {
    Refusal both =
        refusal(
            clientConfig().cipherSuites("TLS_AES_128_GCM_SHA256"),
            TlsWorld.HOST,
            serverConfig("server").cipherSuites("TLS_AES_256_GCM_SHA384"));
    assertThat(both.toClient()).contains("handshake_failure");
    assertThat(both.toServer()).contains("no cipher suites in common");
  }

  @Test
  void noCommonApplicationProtocol() throws Exception {
    Refusal both =
        refusal(clientConfig().alpn("h2"), TlsWorld.HOST, serverConfig("server").alpn("http/1.1"));
    assertThat(both.toClient()).contains("no_application_protocol");
    assertThat(both.toServer()).contains("No matching application layer protocol values");
  }

  /** The server's reason, for whatever a client sends instead of a handshake. */
  private Throwable refusalOf(ByteBuffer sent, boolean thenEnd) throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    wire[0].writeAll(sent).await();
    if (thenEnd) {
      wire[0].shutdown().await();
    }
    var server = TlsServer.of(serverConfig("server").handshakeTimeout(Duration.ofMillis(100)));
    Throwable failure = TlsWorld.failureOf(() -> runtime.run(server.accept(wire[1])));
    assertThat(wire[1].isClosed()).isTrue();
    wire[0].close();
    return failure;
  }

  @Test
  void plainText() throws Exception {
    assertThat(refusalOf(bytes("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"), false))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("plaintext connection");
  }

  @Test
  void plainTextOfAServer_isRefusedByTheClient() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    wire[1].writeAll(bytes("220 mail.example.org ESMTP ready\r\n")).await();
    var client = TlsWorld.client();
    assertThat(TlsWorld.failureOf(() -> runtime.run(client.connect(wire[0], TlsWorld.HOST))))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("plaintext connection");
    assertThat(wire[0].isClosed()).isTrue();
  }

  @Test
  void garbage() throws Exception {
    var random = new SplittableRandom(3);
    for (int i = 0; i < 300; i++) {
      byte[] noise = new byte[random.nextInt(5, 3_000)];
      random.nextBytes(noise);
      if (i % 2 == 0) { // a record of a handshake by its header
        noise[0] = 22;
        noise[1] = 3;
        noise[2] = 3;
        noise[3] = 0;
        noise[4] = (byte) random.nextInt(1, 100);
      }
      assertThat(refusalOf(ByteBuffer.wrap(noise), true)).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void silence_andHalfAHandshake() throws Exception {
    assertThat(refusalOf(ByteBuffer.allocate(0), false))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("a TLS handshake with a client over Wire")
        .hasMessageContaining("PT0.1S")
        .hasMessageContaining("bytes of the peer");
    var half = ByteBuffer.wrap(new byte[] {22, 3, 1, 0, 100, 1, 0});
    assertThat(refusalOf(half, false)).isInstanceOf(TimedOutException.class);
    assertThat(refusalOf(half.rewind(), true))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("closed the connection during the handshake");
  }

  @Test
  void aServerThatIsSilent_orDoesNotRead() throws Exception {
    var client = TlsClient.of(clientConfig().handshakeTimeout(Duration.ofMillis(100)));
    Wire[] silent = Wire.pair(1 << 16);
    assertThat(TlsWorld.failureOf(() -> runtime.run(client.connect(silent[0], TlsWorld.HOST))))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("bytes of the peer");
    Wire[] full = Wire.pair(7);
    assertThat(TlsWorld.failureOf(() -> runtime.run(client.connect(full[0], TlsWorld.HOST))))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("room to send");
    assertThat(full[0].isClosed() && silent[0].isClosed()).isTrue();
  }

  /** The alert finds no room: the reason is told nevertheless, not only that time has passed. */
  @Test
  void aPeerThatCannotBeToldWhy_doesNotHideTheReason() throws Exception {
    Wire[] wire = Wire.pair(6);
    var server = TlsServer.of(serverConfig("server").handshakeTimeout(Duration.ofMillis(100)));
    var accepting = runtime.spawn(server.accept(wire[1]));
    wire[0].writeAll(bytes("GET / ")).await();
    Throwable failure = TlsWorld.failureOf(accepting::await);
    assertThat(failure).isNotNull();
    assertThat(failure.getCause())
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("plaintext connection")
        .satisfies(
            e -> assertThat(e.getSuppressed()).hasAtLeastOneElementOfType(TimedOutException.class));
    assertThat(wire[1].isClosed()).isTrue();
  }

  @Test
  void theOwnersTimeout_isShorter() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var limited = TlsWorld.server().accept(wire[1]).timeout(Duration.ofMillis(50));
    assertThat(TlsWorld.failureOf(() -> runtime.run(limited)))
        .isInstanceOf(TimedOutException.class)
        .hasMessageContaining("a TLS handshake");
    assertThat(wire[1].isClosed()).isTrue();
  }

  @Test
  void aTransportThatFails_isItsOwnReason() throws Exception {
    var tcp = TlsWorld.tcp(runtime);
    tcp[1].reset();
    Throwable failure =
        TlsWorld.failureOf(() ->
            runtime.run(TlsWorld.client().connect(tcp[0], TlsWorld.HOST).timeout(Timeouts.MEDIUM)));
    assertThat(failure).isInstanceOf(IOException.class);
    assertThat(tcp[0].isOpen()).isFalse();
  }
}
