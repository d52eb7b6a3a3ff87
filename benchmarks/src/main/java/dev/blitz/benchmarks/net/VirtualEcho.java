package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The echo server on virtual threads: one per connection, one carrier. */
final class VirtualEcho {
  private VirtualEcho() {}

  static void run() throws Exception {
    try (var server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress())) {
      EchoServers.announce(server.getLocalPort());
      Thread.ofVirtual().start(() -> accept(server)).join();
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
