package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** The echo server on virtual threads: one per connection, one carrier. */
final class VirtualEcho {
  private VirtualEcho() {}

  static void run() throws Exception {
    try (var server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress())) {
      EchoServers.announce(server.getLocalPort());
      Thread.ofVirtual().start(() -> accept(server)).join();
    }
  }

  /** On a Unix socket, which the JDK has as a channel alone. */
  static void runUnix() throws Exception {
    Path path = SocketPath.ours();
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path), 4096);
      SocketPath.announce();
      Thread.ofVirtual().start(() -> acceptUnix(server)).join();
    }
  }

  private static void acceptUnix(ServerSocketChannel server) {
    try {
      while (true) {
        SocketChannel channel = server.accept();
        Thread.startVirtualThread(() -> echo(channel));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  private static void echo(SocketChannel channel) {
    var buffer = ByteBuffer.allocateDirect(16 * 1024);
    try (channel) {
      while (channel.read(buffer.clear()) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
      }
    } catch (IOException reset) {
      // the client has gone
    }
  }

  private static void accept(ServerSocket server) {
    try {
      while (true) {
        Socket socket = server.accept();
        Thread.startVirtualThread(() -> echo(socket));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  static void echo(Socket socket) {
    byte[] buffer = new byte[16 * 1024];
    try (socket) {
      socket.setTcpNoDelay(true);
      var in = socket.getInputStream();
      var out = socket.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    } catch (IOException reset) {
      // the client has gone
    }
  }
}
