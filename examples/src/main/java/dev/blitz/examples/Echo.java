package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * An echo server twice: as plain Java that waits, and as a future without a thread.
 *
 * <p>Shows: direct and stackless style side by side. Run: {@code ./blitz example Echo 8080} or
 * {@code ./blitz example Echo 8080 stackless}, then {@code nc localhost 8080}; without arguments it
 * shows itself.
 */
public final class Echo {
  private Echo() {}

  /** Serves until it is killed: port, and "stackless" for the second style. Or shows both. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(args.length > 0 ? Integer.parseInt(args[0]) : 0)) {
        if (args.length == 0) {
          show(listener);
        } else if (args.length > 1 && args[1].equals("stackless")) {
          serveStackless(listener).await();
        } else {
          serve(listener);
        }
      }
    });
  }

  // --- Direct: a task with a virtual thread for each connection ---

  static void serve(TcpListener listener) throws IOException {
    try (var clients = TaskScope.open(supervise((client, e) -> IO.println(client + ": " + e)))) {
      while (true) {
        var stream = listener.accept().await();
        clients.spawn(owning(stream), () -> echo(stream));
      }
    }
  }

  private static void echo(TcpStream stream) throws IOException {
    var buffer = ByteBuffer.allocateDirect(4096);
    while (stream.read(buffer).await() >= 0) {
      stream.writeAll(buffer.flip()).await();
      buffer.clear();
    }
  }

  // --- Stackless: a task object, its future and its buffer for each connection ---

  static Future<Done> serveStackless(TcpListener listener) {
    return Futures.loop(() ->
        listener
            .accept()
            .andThen(stream -> {
              Task.spawn(owning(stream), echoStackless(stream)).detach();
              return Futures.more();
            }));
  }

  private static Future<Done> echoStackless(TcpStream stream) {
    var buffer = ByteBuffer.allocateDirect(4096);
    return Futures.loop(() ->
        stream
            .read(buffer)
            .andThen(n ->
                n < 0
                    ? Futures.stop()
                    : stream
                        .writeAll(buffer.flip())
                        .andThen(done -> {
                          buffer.clear();
                          return Futures.more();
                        })));
  }

  // --- A client ---

  private static void show(TcpListener listener) throws IOException {
    int port = listener.localAddress().getPort();
    var direct = Task.spawn(() -> serve(listener));
    IO.println("direct: " + say(port, "hello"));
    direct.cancel();
    Futures.outcome(direct).await(); // has ended: the next client is the other server's
    var stackless = Task.spawn(serveStackless(listener));
    IO.println("stackless: " + say(port, "hello again"));
    stackless.cancel();
  }

  private static String say(int port, String text) throws IOException {
    try (var server = TcpStream.connect("localhost", port).await()) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      server.writeAll(ByteBuffer.wrap(bytes)).await();
      var answer = ByteBuffer.allocate(bytes.length);
      server.readFully(answer).await();
      return StandardCharsets.UTF_8.decode(answer.flip()).toString();
    }
  }
}
