package dev.blitz.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Makes the JDK open what it opens once and keeps: the pollers behind virtual threads' socket waits
 * (epoll, eventfd) and the descriptor that closing a socket borrows. Otherwise the first test that
 * uses a socket would be blamed for them.
 */
final class JdkWarmUp {

  // Not a static initialiser: the other thread runs code of this class and would wait for it.
  private static boolean done;

  private JdkWarmUp() {}

  /** Does its work on the first call only. */
  static synchronized void ensureDone() {
    if (!done) {
      warmUp();
      done = true;
    }
  }

  private static void warmUp() {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = ServerSocketChannel.open().bind(loopback);
        var client = SocketChannel.open(listener.getLocalAddress());
        var server = listener.accept()) {
      Thread reader = Thread.ofVirtual().start(() -> readOne(client));
      Await.untilWaiting(reader);
      server.write(ByteBuffer.wrap(new byte[1]));
      reader.join();
    } catch (IOException noLoopback) {
      // Without sockets there is nothing to warm up, and nothing that a test could do with them.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void readOne(SocketChannel client) {
    try {
      client.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
