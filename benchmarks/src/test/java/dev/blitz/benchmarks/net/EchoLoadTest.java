package dev.blitz.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** The load counts what a server answers. */
@Strict
class EchoLoadTest {
  private static final int CONNECTIONS = 8;

  @Test
  void everyConnectionIsAnswered_andTimed() throws Exception {
    Thread accepting;
    try (var server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
      accepting = Thread.startVirtualThread(() -> accept(server));
      try (var load = new EchoLoad(server.getLocalPort(), CONNECTIONS, 1000)) {
        load.run(0);
        assertThat(load.requests()).as("one message each").isEqualTo(CONNECTIONS);
        load.run(20_000_000);
        assertThat(load.requests()).isGreaterThan(CONNECTIONS);
        assertThat(load.latencies().getTotalCount()).isEqualTo(load.requests());
        assertThat(load.latencies().getMinValue()).isPositive();
      }
    }
    accepting.join();
  }

  @Test
  void severalOnTheirWay_areAllAnswered() throws Exception {
    Thread accepting;
    try (var server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
      accepting = Thread.startVirtualThread(() -> accept(server));
      try (var load = new EchoLoad(server.getLocalPort(), CONNECTIONS, 100, 16)) {
        load.run(0);
        assertThat(load.requests()).as("sixteen messages each").isEqualTo(16 * CONNECTIONS);
        load.run(20_000_000);
        assertThat(load.requests()).isGreaterThan(16 * CONNECTIONS);
        assertThat(load.latencies().getTotalCount()).isEqualTo(load.requests());
      }
    }
    accepting.join();
  }

  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.startVirtualThread(() -> VirtualEcho.echo(socket));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }
}
