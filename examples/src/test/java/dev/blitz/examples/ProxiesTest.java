package dev.blitz.examples;

import static dev.blitz.examples.Tools.assumeInstalled;
import static dev.blitz.examples.Tools.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Socks5} with curl, {@link Echo} with netcat. */
@Strict
class ProxiesTest {

  static List<String> backends() {
    return Tools.backends();
  }

  @ParameterizedTest
  @MethodSource("backends")
  void curl_asksThroughSocks(String backend) throws Exception {
    assumeInstalled("curl");
    try (var runtime = Tools.runtime(backend)) {
      int server = Tools.start(runtime, listener -> HttpHello.serve(listener).await());
      String proxy = "127.0.0.1:" + Tools.start(runtime, Socks5::serve);
      assertThat(run("curl", "-s", "--socks5-hostname", proxy, "http://localhost:" + server))
          .isEqualTo("hello");
      assertThat(run("curl", "-s", "--socks5", proxy, "http://127.0.0.1:" + server))
          .isEqualTo("hello");
      assertThat(run("curl", "-sS", "--socks5", proxy, "http://127.0.0.1:" + Tools.freePort()))
          .contains("(5)"); // refused
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void socks_refusesOtherCommands(String backend) throws Exception {
    try (var runtime = Tools.runtime(backend)) {
      int port = Tools.start(runtime, Socks5::serve);
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(new byte[] {5, 1, 0, 5, 2, 0, 1, 127, 0, 0, 1, 0, 80});
        byte[] answer = socket.getInputStream().readAllBytes();
        assertThat(answer).startsWith(5, 0, 5, 7).hasSize(12);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("backends")
  void netcat_hearsItsEcho_inBothStyles(String backend) throws Exception {
    assumeInstalled("nc");
    try (var runtime = Tools.runtime(backend)) {
      int direct = Tools.start(runtime, Echo::serve);
      int stackless = Tools.start(runtime, listener -> Echo.serveStackless(listener).await());
      String text = "the quick brown fox\n".repeat(5_000);
      for (int port : List.of(direct, stackless)) {
        assertThat(run(List.of("nc", "-N", "127.0.0.1", "" + port), text)).isEqualTo(text.strip());
      }
    }
  }
}
