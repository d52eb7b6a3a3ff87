package dev.blitz.benchmarks.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import org.junit.jupiter.api.Test;

/** The load of datagrams counts what a server answers. */
@Strict
class UdpLoadTest {
  private static final int SOCKETS = 4;

  @Test
  void everyDatagramOfABurst_isAnswered_andTimed() throws Exception {
    Thread answering;
    try (var server = bound()) {
      answering = Thread.startVirtualThread(() -> answer(server));
      try (var load = new UdpLoad(port(server), SOCKETS, 100, 16)) {
        load.run(0);
        assertThat(load.requests()).as("one burst each").isEqualTo(16 * SOCKETS);
        load.run(20_000_000);
        assertThat(load.requests()).as("whole bursts").isGreaterThan(0).matches(n -> n % 16 == 0);
        assertThat(load.latencies().getTotalCount()).isEqualTo(load.requests());
      }
    }
    answering.join();
  }

  @Test
  void aServerThatIsSilent_isTold() throws Exception {
    try (var server = bound();
        var load = new UdpLoad(port(server), SOCKETS, 100, 2)) {
      assertThatIOException().isThrownBy(() -> load.run(0)).withMessageContaining("not answered");
    }
  }

  private static DatagramChannel bound() throws IOException {
    return DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static int port(DatagramChannel server) throws IOException {
    return ((InetSocketAddress) server.getLocalAddress()).getPort();
  }

  private static void answer(DatagramChannel server) {
    var buffer = ByteBuffer.allocate(1_000);
    try {
      while (true) {
        var sender = server.receive(buffer.clear());
        server.send(buffer.flip(), sender);
      }
    } catch (ClosedChannelException end) {
      // the end of the test
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
