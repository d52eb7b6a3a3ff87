package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.named;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A server that survives its clients and ends in order: at SIGTERM it takes nothing new, answers
 * every request that was sent before, and says who was left; a second SIGTERM forces it. A request
 * is a line, the answer is the same line; one that begins with "s" takes a minute.
 *
 * <p>Shows: Shutdown, a supervising scope, owning. Run: {@code ./blitz example GracefulServer
 * 8080}.
 */
public final class GracefulServer {
  private GracefulServer() {}

  /** Serves until a signal; the argument is the port. */
  @SuppressWarnings("try") // the listener is closed before its block ends
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    int port = args.length > 0 ? Integer.parseInt(args[0]) : 8080;
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals(); // INT, TERM; a second one forces
          var listener = TcpListener.bind(port);
          var connections =
              shutdown.track(TaskScope.open(supervise(GracefulServer::warn).and(limit(1000))))) {
        IO.println("listening on port " + listener.localAddress().getPort());
        shutdown.whileRunning(
            listener::accept,
            stream ->
                connections.spawn(
                    owning(stream).and(named("client " + stream.remoteAddress().getPort())),
                    () -> serve(stream, shutdown)));
        listener.close(); // from now on clients are refused
        IO.println(shutdown.drain(Duration.ofSeconds(30)));
      }
    });
  }

  private static void warn(String client, Throwable failure) {
    IO.println(client + " failed: " + failure);
  }

  /** Answers line by line until the client or the server has enough. */
  private static void serve(TcpStream stream, Shutdown shutdown) throws IOException {
    var buffer = ByteBuffer.allocate(4096);
    try {
      while (shutdown.guard(stream.read(buffer)).await() >= 0) {
        answerLines(stream, buffer);
        if (!buffer.hasRemaining()) {
          throw new IOException("a line that is too long");
        }
      }
    } catch (CancelledException noMoreRequests) {
      if (!shutdown.running()) {
        return; // nothing more will be sent that must be answered
      }
      throw noMoreRequests;
    }
  }

  private static void answerLines(TcpStream stream, ByteBuffer buffer) throws IOException {
    buffer.flip();
    for (int end = lineEnd(buffer); end >= 0; end = lineEnd(buffer)) {
      if (buffer.get(buffer.position()) == 's') {
        Task.sleep(Duration.ofMinutes(1)).await();
      }
      ByteBuffer line = buffer.slice(buffer.position(), end - buffer.position());
      stream.writeAll(line).await();
      buffer.position(end);
    }
    buffer.compact();
  }

  /** Where the first line ends, behind its line break; -1 if it does not. */
  private static int lineEnd(ByteBuffer buffer) {
    for (int i = buffer.position(); i < buffer.limit(); i++) {
      if (buffer.get(i) == '\n') {
        return i + 1;
      }
    }
    return -1;
  }
}
