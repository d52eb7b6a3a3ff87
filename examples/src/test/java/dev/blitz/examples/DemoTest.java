package dev.blitz.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.examples.demo.Demo;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link Demo} in a JVM of its own, without a terminal, ended by a signal. */
@Strict
class DemoTest {

  @Test
  void serve_answersUntilASignal_andTheRequestThatIsUnderWay() throws Exception {
    assumeTrue(java.io.File.separatorChar == '/', "a POSIX system");
    var demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName(),
                "--quick",
                "--serve",
                "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader said = demo.inputReader()) {
      String line = said.readLine();
      while (line != null && !line.startsWith("Serving http://localhost:")) {
        assertThat(line).doesNotContain("\u001b", "\r"); // plain lines
        line = said.readLine();
      }
      assertThat(line).isNotNull();
      int port = Integer.parseInt(line.replaceAll("\\D", ""));
      assertThat(get(port, "/")).contains("requests were answered", "<h1>Blitz</h1>");
      try (var socket = request(port, "/slow")) {
        assertThat(get(port, "/hello")).contains("hello"); // by now the other one is being answered
        demo.toHandle().destroy();
        assertThat(socket.getInputStream().readAllBytes()).asString().endsWith("took a while\n");
      }
      assertThat(String.join("\n", said.lines().toList()))
          .contains("shut down by SIGTERM", "That was it", "closed: nothing left behind");
      assertThat(demo.waitFor(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } finally {
      demo.destroyForcibly().waitFor();
    }
  }

  private static Socket request(int port, String path) throws Exception {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket
        .getOutputStream()
        .write(("GET " + path + " HTTP/1.1\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String get(int port, String path) throws Exception {
    try (var socket = request(port, path)) {
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
