package dev.blitz.benchmarks.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The echo server on Blitz in direct style: a direct task per connection, one worker. */
final class DirectEcho {
  private static final int BUFFER_BYTES = 16 * 1024;

  private DirectEcho() {}

  static void run(String backend) throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      runtime.run(() -> {
        TcpListener listener =
            TcpListener.builder()
                .backlog(4096)
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        EchoServers.announce(listener.localAddress().getPort());
        while (true) {
          TcpStream stream = listener.accept().await();
          Task.spawn(() -> echo(stream)).detach();
        }
      });
    }
  }

  private static void echo(TcpStream stream) {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    try (stream) {
      stream.noDelay(true);
      while (stream.read(buffer.clear()).await() >= 0) {
        stream.writeAll(buffer.flip()).await();
      }
    } catch (IOException reset) {
      // the client has gone
    }
  }
}
