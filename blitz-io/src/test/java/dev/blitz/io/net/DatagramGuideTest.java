package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.loopback;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.Blitz;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of docs/guide/datagrams.md on batches, as they stand there. */
@Strict
class DatagramGuideTest {

  static void echoMany(UdpSocket socket) throws IOException {
    DatagramBatch<InetSocketAddress> batch =
        DatagramBatch.allocate(64, 1500); // 64 datagrams of up to 1500 bytes
    while (true) {
      socket.receiveMany(batch).await(); // waits for one, and takes all that are there
      socket.sendMany(batch).await(); // each to its sender
    }
  }

  static void tellAll(UdpSocket socket, List<InetSocketAddress> members, ByteBuffer news)
      throws IOException {
    DatagramBatch<InetSocketAddress> batch = DatagramBatch.allocate(64, 1500);
    for (InetSocketAddress member : members) {
      if (batch.isFull()) {
        socket.sendMany(batch).await();
      }
      batch.add(news, member); // a copy
    }
    socket.sendMany(batch).await();
  }

  @Test
  void thePrograms_doWhatTheySay() throws Exception {
    Blitz.run(() -> {
      try (UdpSocket server = UdpSocket.bind(loopback(0));
          UdpSocket one = UdpSocket.bind(loopback(0));
          UdpSocket two = UdpSocket.bind(loopback(0))) {
        var echo = Task.spawn(() -> echoMany(server));
        var buffer = ByteBuffer.allocate(16);
        one.sendTo(bytes("back"), server.localAddress()).await();
        assertThat(one.receive(buffer).await()).isEqualTo(4);
        echo.cancel();

        List<InetSocketAddress> members = new ArrayList<>();
        members.addAll(Collections.nCopies(40, one.localAddress()));
        members.addAll(Collections.nCopies(40, two.localAddress()));
        tellAll(server, members, bytes("news"));
        for (int i = 0; i < 40; i++) {
          assertThat(one.receive(buffer.clear()).await()).isEqualTo(4);
          assertThat(two.receive(buffer.clear()).await()).isEqualTo(4);
        }
      }
    });
  }
}
