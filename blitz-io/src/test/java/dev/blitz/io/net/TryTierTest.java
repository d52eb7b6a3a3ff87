package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.readText;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.internal.driver.Endpoint;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a task nobody has waited before, so nothing was armed: a try finds what is there. */
@Strict
class TryTierTest {

  /** Until the kernel has something for the socket; asks it, and nothing of ours. */
  private static void awaitArrival(Endpoint endpoint) {
    var socket = ((SocketEndpoint) endpoint).socket();
    Await.until(
        () -> {
          try {
            return socket.call((frame, fd) -> PosixCalls.readiness(frame, fd, PosixAbi.POLLIN)) > 0;
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        "an arrival");
  }

  private static SocketWorld open(String backend) {
    TestBackends.assumeAvailable(backend);
    return new SocketWorld(backend, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void theFirstRead_seesWhatHasArrived_andTheNextToo(String backend) throws Exception {
    try (var world = open(backend);
        var pair = world.pair()) {
      var target = ByteBuffer.allocate(8);
      for (int round = 0; round < 3; round++) {
        assertThat(pair.server().tryRead(target.clear())).isEqualTo(ByteReader.PENDING);
        pair.client().writeAll(bytes("first")).await();
        awaitArrival(pair.server().endpoint);
        assertThat(pair.server().tryRead(target.clear())).isEqualTo(5);
        assertThat(text(target)).isEqualTo("first");
      }
      pair.client().writeAll(bytes("waited for")).await();
      assertThat(readText(pair.server(), 10)).isEqualTo("waited for");
      pair.client().shutdownOutput();
      assertThat(pair.server().read(target.clear()).await()).isEqualTo(ByteReader.EOF);
      assertThat(pair.server().tryRead(target.clear())).isEqualTo(ByteReader.EOF);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void theFirstAccept_seesWhoHasCome_andTheNextToo(String backend) throws Exception {
    try (var world = open(backend);
        var listener = world.listen()) {
      for (int round = 0; round < 3; round++) {
        assertThat(listener.tryAccept()).isNull();
        try (var peer =
            new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
          awaitArrival(listener.endpoint);
          try (TcpStream accepted = listener.tryAccept()) {
            assertThat(accepted).isNotNull();
            assertThat(peer.isConnected()).isTrue();
          }
        }
      }
    }
  }
}
