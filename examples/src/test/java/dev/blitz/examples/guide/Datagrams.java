package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.net.Datagram;
import dev.blitz.io.net.UdpSocket;
import dev.blitz.io.net.UnixListener;
import dev.blitz.io.net.UnixStream;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** docs/guide/datagrams.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Datagrams {
  static void echo(int port) throws IOException {
    try (UdpSocket socket = UdpSocket.bind(port)) {
      var buffer = ByteBuffer.allocateDirect(1500);
      while (true) {
        Datagram<InetSocketAddress> datagram = socket.receiveFrom(buffer.clear()).await();
        if (!datagram.truncated()) {
          socket.sendTo(buffer.flip(), datagram.sender()).await();
        }
      }
    }
  }

  static int ask(InetSocketAddress server, ByteBuffer question, ByteBuffer answer)
      throws IOException {
    try (UdpSocket socket = UdpSocket.connected(server)) {
      socket.send(question).await();
      return socket.receive(answer).timeout(Duration.ofSeconds(2)).await();
    }
  }

  static UdpSocket member(int port, InetAddress group, NetworkInterface device) throws IOException {
    return UdpSocket.builder().reuseAddress(true).bind(port).join(group, device);
  }

  static void shout(UdpSocket socket, ByteBuffer message, int port) throws IOException {
    socket.broadcast(true).sendTo(message, new InetSocketAddress("255.255.255.255", port)).await();
  }

  static void serve(Path path) throws IOException {
    Files.deleteIfExists(path);
    try (UnixListener listener = UnixListener.bind(path);
        var connections = TaskScope.open(supervise((client, e) -> IO.println(client + ": " + e)))) {
      while (true) {
        UnixStream stream = listener.accept().await();
        IO.println("from user " + stream.peerCredentials().userId());
        connections.spawn(owning(stream), () -> Bytes.copy(stream, stream).await());
      }
    }
  }

  static void options() throws IOException {
    UdpSocket socket =
        UdpSocket.builder()
            .option(StandardSocketOptions.SO_RCVBUF, 4 << 20)
            .option(StandardSocketOptions.IP_MULTICAST_TTL, 2)
            .bind(9000);
  }
}
