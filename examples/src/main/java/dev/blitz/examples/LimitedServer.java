package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * An echo server for at most 100 clients at a time: each has time-outs, one that fails harms no
 * other, and at the end those that are being served may finish.
 *
 * <p>Shows: supervise, limit, owning, guard, drain. Run: {@code ./blitz example LimitedServer}.
 */
public final class LimitedServer {
  private LimitedServer() {}

  /** Serves three clients, the second of which breaks its task, and stops. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      var stop = CancelToken.create();
      try (var listener = TcpListener.bind(0)) {
        int port = listener.localAddress().getPort();
        var server = Task.spawn(() -> serve(listener, stop));
        for (String text : new String[] {"hello", "!", "still there"}) {
          IO.println(text + " -> " + talk(port, text));
        }
        stop.cancel();
        IO.println("cancelled at the end: " + server.await());
      }
    });
  }

  static int serve(TcpListener listener, CancelToken stop) throws IOException {
    try (var clients =
        TaskScope.open(
            supervise((who, e) -> IO.println("a client failed: " + e.getMessage()))
                .and(limit(100)))) {
      try {
        while (true) {
          var client = stop.guard(listener.accept()).await();
          clients.spawn(owning(client), () -> echo(client)); // waits for room
        }
      } catch (CancelledException stopped) {
        listener.close(); // from now on clients are refused
      }
      return clients.drain(Duration.ofSeconds(5));
    }
  }

  private static void echo(ByteStream client) throws IOException {
    var buffer = ByteBuffer.allocate(64);
    while (client.read(buffer).timeout(Duration.ofMinutes(1)).await() >= 0) {
      if (buffer.get(0) == '!') {
        throw new IllegalStateException("nobody has thought of this");
      }
      client.writeAll(buffer.flip()).timeout(Duration.ofSeconds(10)).await();
      buffer.clear();
    }
  }

  private static String talk(int port, String text) throws IOException {
    try (var server = TcpStream.connect("localhost", port).timeout(Duration.ofSeconds(5)).await()) {
      server.writeAll(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))).await();
      var answer = ByteBuffer.allocate(64);
      int length = server.read(answer).await();
      return length < 0 ? "hung up" : new String(answer.array(), 0, length, StandardCharsets.UTF_8);
    }
  }
}
