package dev.blitz.io.net.tls;

import static dev.blitz.io.net.tls.TlsWorld.clientConfig;
import static dev.blitz.io.net.tls.TlsWorld.echoes;
import static dev.blitz.io.net.tls.TlsWorld.file;
import static dev.blitz.io.net.tls.TlsWorld.serverConfig;
import static dev.blitz.io.net.tls.TlsWorld.shake;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.Strict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the two sides agree on. */
@Strict
class TlsHandshakeTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    runtime.close();
  }

  private static String shownTo(TlsWorld.Pair pair) {
    return pair.client().peerCertificates().getFirst().getSubjectX500Principal().getName();
  }

  @Test
  void version_cipherAndCertificates_areVisible() throws Exception {
    try (var pair = shake(runtime, TlsWorld.client(), TlsWorld.server())) {
      assertThat(echoes(pair)).isTrue();
      for (TlsStream end : List.of(pair.client(), pair.server())) {
        assertThat(end.protocol()).isEqualTo("TLSv1.3");
        assertThat(end.cipherSuite()).startsWith("TLS_");
        assertThat(end.applicationProtocol()).isEmpty();
        assertThat(end.serverName()).contains(TlsWorld.HOST);
        assertThat(end.isOpen()).isTrue();
        assertThat(end.toString()).contains("TLSv1.3").contains("Wire");
      }
      assertThat(shownTo(pair)).isEqualTo("CN=localhost");
      assertThat(pair.server().peerCertificates()).isEmpty();
    }
  }

  @Test
  void theOlderVersion_isSpoken_ifOneSideInsists() throws Exception {
    var server = TlsServer.of(serverConfig("server").protocols("TLSv1.2"));
    try (var pair = shake(runtime, TlsWorld.client(), server)) {
      assertThat(echoes(pair)).isTrue();
      assertThat(pair.client().protocol()).isEqualTo("TLSv1.2");
    }
    assertThatThrownBy(() -> clientConfig().protocols("TLSv1.1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("TLSv1.1");
  }

  @Test
  void theApplicationsProtocol_isTheServersFirst_thatTheClientKnows() throws Exception {
    var client = TlsClient.of(clientConfig().alpn("http/1.1", "h2"));
    var server = TlsServer.of(serverConfig("server").alpn("h3", "h2", "http/1.1"));
    try (var pair = shake(runtime, client, server)) {
      assertThat(pair.client().applicationProtocol()).contains("h2");
      assertThat(pair.server().applicationProtocol()).contains("h2");
    }
  }

  @Test
  void aServer_showsTheCertificateThatIsForTheName() throws Exception {
    var server =
        TlsServer.of(
            serverConfig("server")
                .certificate(file("second"), file("second-key"))
                .certificate(file("rsa-chain"), file("rsa-key")));
    var client = TlsWorld.client();
    for (String[] expected :
        new String[][] {
          {"first.test", "CN=localhost"},
          {"second.test", "CN=second.test"},
          {"SECOND.test", "CN=second.test"},
          {"any.wild.test", "CN=second.test"}
        }) {
      Wire[] wire = Wire.pair(1 << 16);
      try (var pair = shake(runtime, client, expected[0], server, wire[0], wire[1])) {
        assertThat(shownTo(pair)).isEqualTo(expected[1]);
        assertThat(pair.server().serverName())
            .contains(expected[0].toLowerCase(java.util.Locale.ROOT));
      }
    }
    var careless = TlsClient.of(clientConfig().hostNameCheck(false));
    Wire[] wire = Wire.pair(1 << 16);
    try (var pair = shake(runtime, careless, "unknown.test", server, wire[0], wire[1])) {
      assertThat(shownTo(pair)).isEqualTo("CN=localhost");
    }
  }

  @Test
  void eachKindOfKey_works_andSoDoesAChain() throws Exception {
    for (TlsConfig config :
        List.of(
            TlsConfig.pem(file("rsa-chain"), file("rsa-pkcs1-key")),
            TlsConfig.create()
                .certificate(file("rsa-chain"), file("rsa-encrypted-key"), "secret".toCharArray()),
            TlsConfig.pem(file("server"), file("server-sec1-key")),
            TlsConfig.create().certificate(TlsWorld.text("server"), TlsWorld.text("server-key")),
            serverConfig("ed25519"))) {
      for (String version : List.of("TLSv1.3", "TLSv1.2")) {
        var server = TlsServer.of(config.protocols(version));
        try (var pair = shake(runtime, TlsWorld.client(), server)) {
          assertThat(echoes(pair)).isTrue();
        }
      }
    }
  }

  private static KeyStore store() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    Identity identity =
        Identity.ofPem(TlsWorld.text("server"), TlsWorld.text("server-key"), null, "here");
    store.setKeyEntry(
        "server",
        identity.key(),
        "secret".toCharArray(),
        identity.chain().toArray(new Certificate[0]));
    return store;
  }

  @Test
  void keyStores_andContexts_workTheSame() throws Exception {
    KeyStore store = store();
    var byStore = TlsServer.of(TlsConfig.keyStore(store, "secret".toCharArray()));
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    var byContext = TlsServer.of(TlsConfig.context(context));
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "ca", Identity.certificates(TlsWorld.text("ca"), "here").getFirst());
    var client = TlsClient.of(TlsConfig.create().trust(trusted));
    for (TlsServer server : List.of(byStore, byContext)) {
      try (var pair = shake(runtime, client, server)) {
        assertThat(echoes(pair)).isTrue();
      }
    }
    assertThatThrownBy(() -> TlsConfig.context(context).trust(trusted))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aClient_isKnownByItsCertificate() throws Exception {
    var server =
        TlsServer.of(
            serverConfig("server")
                .trust(file("ca"))
                .clientCertificates(ClientCertificates.REQUIRED));
    var client = TlsClient.of(clientConfig().certificate(file("client"), file("client-key")));
    try (var pair = shake(runtime, client, server)) {
      assertThat(echoes(pair)).isTrue();
      assertThat(pair.server().peerCertificates().getFirst().getSubjectX500Principal().getName())
          .isEqualTo("CN=a client");
    }
  }

  @Test
  void aClientThatIsOnlyWanted_mayHaveNone() throws Exception {
    var server =
        TlsServer.of(
            serverConfig("server").trust(file("ca")).clientCertificates(ClientCertificates.WANTED));
    try (var pair = shake(runtime, TlsWorld.client(), server)) {
      assertThat(echoes(pair)).isTrue();
      assertThat(pair.server().peerCertificates()).isEmpty();
    }
  }

  /** The server of a resumed connection sends no certificate, which shows in what it sends. */
  @Test
  void aSecondConnection_resumesTheSession() throws Exception {
    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      var server = TlsServer.of(serverConfig("server").protocols(version));
      var client = TlsWorld.client();
      try (var first = shake(runtime, client, server)) {
        assertThat(echoes(first)).isTrue(); // has read the ticket
      }
      Wire[] full = Wire.pair(1 << 16);
      try (var other = shake(runtime, TlsWorld.client(), server, full[0], full[1])) {
        assertThat(echoes(other)).isTrue();
      }
      Wire[] resumed = Wire.pair(1 << 16);
      try (var second = shake(runtime, client, server, resumed[0], resumed[1])) {
        assertThat(echoes(second)).isTrue();
        assertThat(second.client().peerCertificates()).isNotEmpty();
      }
      assertThat(resumed[0].in.passed())
          .as("no certificate is sent again in " + version)
          .isLessThan(full[0].in.passed() - 500);
    }
  }

  @Test
  void aReload_showsTheNewCertificate_andLeavesConnectionsAlone(@TempDir Path dir)
      throws Exception {
    Path certificate = dir.resolve("certificate.pem");
    Path key = dir.resolve("key.pem");
    Files.copy(file("server"), certificate);
    Files.copy(file("server-key"), key);
    var server = TlsServer.of(TlsConfig.pem(certificate, key));
    var client = TlsClient.of(clientConfig().hostNameCheck(false));
    try (var before = shake(runtime, client, server)) {
      Files.copy(file("second"), certificate, StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(server::reload)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not that of the first certificate");
      try (var still = shake(runtime, client, server)) {
        assertThat(shownTo(still)).isEqualTo("CN=localhost");
      }
      Files.copy(file("second-key"), key, StandardCopyOption.REPLACE_EXISTING);
      server.reload();
      try (var after = shake(runtime, client, server)) {
        assertThat(shownTo(after)).isEqualTo("CN=second.test");
      }
      assertThat(echoes(before)).isTrue();
    }
    Files.delete(key);
    assertThatThrownBy(server::reload).isInstanceOf(java.nio.file.NoSuchFileException.class);
  }

  @Test
  void aConfigurationThatCannotWork_isRefusedAtOnce() {
    assertThatThrownBy(() -> TlsServer.of(TlsConfig.create()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("certificate");
    assertThatThrownBy(() ->
            TlsServer.of(serverConfig("server").clientCertificates(ClientCertificates.REQUIRED)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("trust");
    assertThatThrownBy(() -> TlsClient.of(clientConfig().cipherSuites("TLS_NONSENSE")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TlsServer.of(serverConfig("missing")))
        .isInstanceOf(AssertionError.class);
  }

  /** Nobody but the caller: the tasks of the engine run on its thread. */
  @Test
  void withoutARuntime_handshakesWorkToo() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var accepting = runtime.spawn(TlsWorld.server().accept(wire[1]));
    TlsStream client = TlsWorld.client().connect(wire[0], TlsWorld.HOST).await();
    try (var pair = new TlsWorld.Pair(client, accepting.await())) {
      assertThat(echoes(pair)).isTrue();
    }
  }

  @Test
  void overTcp_aClientConnectsByName() throws Exception {
    var server = TlsWorld.server();
    var client = TlsWorld.client();
    runtime.run(() -> {
      try (var listener = dev.blitz.io.net.TcpListener.bind(0)) {
        var accepting =
            dev.blitz.io.task.Task.spawn(
                listener.accept().andThen(stream -> server.accept(stream)));
        try (var pair =
            new TlsWorld.Pair(
                client.connect(TlsWorld.HOST, listener.localAddress().getPort()).await(),
                accepting.await())) {
          assertThat(echoes(pair)).isTrue();
        }
      }
    });
  }
}
