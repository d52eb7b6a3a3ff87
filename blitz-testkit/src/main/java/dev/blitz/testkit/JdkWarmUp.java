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

  private JdkWarmUp() {}

  /** Does its work on the first call only. */
  static void ensureDone() {
    if (!Once.DONE) {
      throw new AssertionError("unreachable: initialisation either completes or throws");
    }
  }

  private static boolean warmUp() {
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
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  private static void readOne(SocketChannel client) {
    try {
      client.read(ByteBuffer.allocate(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Once {
    static final boolean DONE = warmUp();
  }
}
