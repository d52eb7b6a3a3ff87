package dev.blitz.io.net.tls;

import static dev.blitz.io.net.tls.TlsWorld.clientConfig;
import static dev.blitz.io.net.tls.TlsWorld.file;
import static dev.blitz.io.net.tls.TlsWorld.serverConfig;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** OpenSSL and curl as the other side, where they are installed. */
@Strict
@OnceIsEnough
class TlsToolsTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
      process.inputReader().close();
      process.outputWriter().close();
    }
    runtime.close();
  }

  private Process start(String... command) throws IOException {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, command[0] + " is not installed: " + e.getMessage());
      throw e;
    }
    started.add(process);
    return process;
  }

  private static String outputOf(Process process) throws Exception {
    String all = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    return all + "exit " + process.exitValue();
  }

  private static String readUntil(BufferedReader output, String text) throws IOException {
    var all = new StringBuilder();
    for (String line; (line = output.readLine()) != null; ) {
      all.append(line).append('\n');
      if (line.contains(text)) {
        return all.toString();
      }
    }
    throw new AssertionError("it never said " + text + " but: " + all);
  }

  /** How a server of the test talks. */
  private interface Talk {
    void with(TlsStream stream) throws IOException;
  }

  /** A server that says what went wrong with its last connection. */
  private record Serving(int port, JoinHandle<Done> task, List<Throwable> failures) {}

  private Serving serve(TlsConfig config, Talk talk) throws Exception {
    var tls = TlsServer.of(config);
    TcpListener listener = runtime.run(Futures.lazy(() -> TcpListener.bind(ANY)));
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    JoinHandle<Done> task =
        runtime.spawn(() -> {
          try (listener) {
            while (true) {
              var tcp = listener.accept().await();
              Task.spawn(
                      () -> {
                        try (TlsStream stream = tls.accept(tcp).await()) {
                          talk.with(stream);
                          stream.shutdown().await();
                        } catch (IOException e) {
                          failures.add(e);
                        }
                        return Done.DONE;
                      })
                  .detach();
            }
          }
        });
    return new Serving(listener.localAddress().getPort(), task, failures);
  }

  private static void echo(TlsStream stream) throws IOException {
    var buffer = ByteBuffer.allocate(1000);
    while (stream.read(buffer.clear()).await() >= 0) {
      stream.writeAll(buffer.flip()).await();
    }
  }

  private static void hello(TlsStream stream) throws IOException {
    stream.read(ByteBuffer.allocate(4000)).await();
    String body = "hello by " + stream.applicationProtocol().orElse("nothing") + "\n";
    stream
        .writeAll(
            TlsWorld.bytes(
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body))
        .await();
  }

  private String curl(int port, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", "--max-time", "20", "--http1.1"));
    command.addAll(List.of("--cacert", file("ca").toString()));
    command.addAll(List.of(options));
    command.add("https://localhost:" + port + "/");
    return outputOf(start(command.toArray(new String[0])));
  }

  @Test
  void curl_getsAPage_andAgreesOnAProtocol() throws Exception {
    Serving server = serve(serverConfig("server").alpn("h2", "http/1.1"), TlsToolsTest::hello);
    assertThat(curl(server.port)).contains("hello by http/1.1").endsWith("exit 0");
    assertThat(curl(server.port, "--tls-max", "1.2")).contains("hello by").endsWith("exit 0");
    assertThat(curl(server.port, "--no-alpn")).contains("hello by nothing").endsWith("exit 0");
    assertThat(server.failures).isEmpty();
    server.task.cancel();
  }

  @Test
  void curl_refusesWhatItShould() throws Exception {
    for (String wrong : List.of("expired", "second", "selfsigned", "stranger")) {
      Serving server = serve(serverConfig(wrong), TlsToolsTest::hello);
      assertThat(curl(server.port)).as(wrong).contains("SSL").endsWith("exit 60");
      server.task.cancel();
    }
  }

  @Test
  void curl_isKnownByItsCertificate() throws Exception {
    TlsConfig config =
        serverConfig("server").trust(file("ca")).clientCertificates(ClientCertificates.REQUIRED);
    Serving server = serve(config, TlsToolsTest::hello);
    assertThat(
            curl(
                server.port,
                "--cert",
                file("client").toString(),
                "--key",
                file("client-key").toString()))
        .contains("hello")
        .endsWith("exit 0");
    assertThat(server.failures).isEmpty();
    assertThat(curl(server.port)).doesNotContain("hello").doesNotEndWith("exit 0");
    dev.blitz.testkit.Await.until(() -> !server.failures.isEmpty(), "the server's reason");
    assertThat(server.failures.getFirst()).hasMessageContaining("Empty client certificate chain");
    server.task.cancel();
  }

  private Process sClient(int port, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl", "s_client"));
    command.addAll(List.of("-connect", "127.0.0.1:" + port, "-servername", "localhost"));
    command.addAll(List.of("-CAfile", file("ca").toString(), "-verify_return_error"));
    command.addAll(List.of(options));
    return start(command.toArray(new String[0]));
  }

  private static void say(Process process, String text) throws IOException {
    Writer writer = process.outputWriter();
    writer.write(text);
    writer.flush();
  }

  @Test
  void sClient_talksBothVersions_andUpdatesKeys() throws Exception {
    Serving server = serve(serverConfig("server").alpn("h2"), TlsToolsTest::echo);
    for (String version : List.of("-tls1_3", "-tls1_2")) {
      Process client = sClient(server.port, version, "-alpn", "h2");
      BufferedReader output = client.inputReader();
      String greeting = readUntil(output, "Verify return code: 0 (ok)");
      assertThat(greeting).contains("ALPN protocol: h2");
      say(client, "one line\n");
      readUntil(output, "one line");
      if (version.equals("-tls1_3")) {
        say(client, "K\n"); // new keys, and the server is asked for its own
        readUntil(output, "KEYUPDATE");
        say(client, "after the update\n");
        readUntil(output, "after the update");
      }
      say(client, "Q\n");
      assertThat(client.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }
    assertThat(server.failures).isEmpty();
    server.task.cancel();
  }

  @Test
  void sClient_isRefusedRenegotiation() throws Exception {
    Serving server = serve(serverConfig("server"), TlsToolsTest::echo);
    Process client = sClient(server.port, "-tls1_2");
    BufferedReader output = client.inputReader();
    readUntil(output, "Verify return code: 0 (ok)");
    say(client, "before\n");
    readUntil(output, "before");
    say(client, "R\n");
    dev.blitz.testkit.Await.until(() -> !server.failures.isEmpty(), "the refusal");
    assertThat(server.failures.getFirst()).hasMessageContaining("refused");
    server.task.cancel();
  }

  @Test
  void sClient_resumesItsSession(@TempDir Path dir) throws Exception {
    Serving server = serve(serverConfig("server"), TlsToolsTest::echo);
    Path session = dir.resolve("session");
    for (String[] step : new String[][] {{"-sess_out", "New, "}, {"-sess_in", "Reused, "}}) {
      Process client = sClient(server.port, step[0], session.toString());
      BufferedReader output = client.inputReader();
      assertThat(readUntil(output, "Verify return code")).contains(step[1] + "TLSv1.3");
      say(client, "x\n");
      readUntil(output, "x");
      say(client, "Q\n");
      assertThat(client.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }
    server.task.cancel();
  }

  private record Server(Process process, int port) {}

  private Server sServer(String certificate, String key, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of("openssl", "s_server", "-accept", "0", "-rev"));
    command.addAll(List.of("-cert", file(certificate).toString(), "-key", file(key).toString()));
    command.addAll(List.of(options));
    Process process = start(command.toArray(new String[0]));
    String line = readUntil(process.inputReader(), "ACCEPT ");
    String address = line.strip();
    return new Server(process, Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)));
  }

  private TlsStream connect(TlsConfig config, int port) throws Exception {
    var client = TlsClient.of(config);
    return runtime.run(() -> {
      var tcp =
          dev.blitz.io.net.TcpStream.connect(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .await();
      return client.connect(tcp, TlsWorld.HOST).await();
    });
  }

  @Test
  void sServer_answers_inBothVersions_withAChain() throws Exception {
    Server server =
        sServer(
            "rsa-chain",
            "rsa-key",
            "-cert_chain",
            file("intermediate").toString(),
            "-alpn",
            "h2",
            "-CAfile",
            file("ca").toString(),
            "-Verify",
            "1");
    for (String version : List.of("TLSv1.3", "TLSv1.2")) {
      TlsConfig config =
          clientConfig()
              .protocols(version)
              .alpn("h2")
              .certificate(file("client"), file("client-key"));
      try (TlsStream stream = connect(config, server.port)) {
        assertThat(stream.protocol()).isEqualTo(version);
        assertThat(stream.applicationProtocol()).contains("h2");
        assertThat(stream.peerCertificates()).hasSize(2);
        stream.writeAll(TlsWorld.bytes("drawer\n")).await();
        assertThat(TlsWorld.read(stream, 7)).isEqualTo("reward\n");
        stream.shutdown().await();
      }
    }
  }

  @Test
  void sServer_isRefused_ifItsCertificateIsNotRight() throws Exception {
    for (String[] wrong :
        new String[][] {
          {"expired", "NotAfter"},
          {"second", "No subject alternative DNS name matching localhost"},
          {"selfsigned", "unable to find valid certification path"}
        }) {
      Server server = sServer(wrong[0], wrong[0] + "-key");
      assertThatThrownBy(() -> connect(clientConfig(), server.port))
          .isInstanceOf(SSLException.class)
          .hasStackTraceContaining(wrong[1]);
    }
  }

  @Test
  void sServer_isRefused_ifItSpeaksOldVersionsOnly() throws Exception {
    Server server = sServer("server", "server-key", "-tls1_2");
    assertThatThrownBy(() -> connect(clientConfig().protocols("TLSv1.3"), server.port))
        .isInstanceOf(SSLException.class);
  }
}
