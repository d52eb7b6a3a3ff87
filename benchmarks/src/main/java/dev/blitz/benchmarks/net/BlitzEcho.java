package dev.blitz.benchmarks.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpSocket;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The echo server on Blitz: a stackless task per connection, one worker. */
final class BlitzEcho {
  private BlitzEcho() {}

  static void run(String backend) throws Exception {
    try (var runtime = BlitzRuntime.builder().backend(backend).workers(1).build()) {
      TcpListener listener =
          runtime.run(Futures.lazy(() -> TcpSocket.builder().backlog(4096).listen(0)));
      EchoServers.announce(listener.localAddress().getPort());
      runtime.run(
          Futures.loop(() ->
              listener
                  .accept()
                  .andThen(stream -> {
                    Task.spawn(new Echo(stream.noDelay(true))).detach();
                    return Futures.more();
                  })));
    }
  }

  /** One connection. */
  private static final class Echo implements Future<Done> {
    private final TcpStream stream;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(16 * 1024);
    private boolean writing;

    Echo(TcpStream stream) {
      this.stream = stream;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      try {
        return turn(cx);
      } catch (IOException reset) {
        stream.close();
        return Done.DONE;
      }
    }

    private @Nullable Done turn(Context cx) throws IOException {
      for (; ; ) {
        int n = writing ? stream.pollWrite(cx, buffer) : stream.pollRead(cx, buffer);
        if (n == TcpStream.PENDING) {
          return null;
        }
        if (!writing && n < 0) {
          stream.close();
          return Done.DONE;
        }
        if (!writing) {
          buffer.flip();
          writing = true;
        } else if (!buffer.hasRemaining()) {
          buffer.clear();
          writing = false;
        }
      }
    }

    @Override
    public void drop() {
      stream.close();
    }
  }
}
