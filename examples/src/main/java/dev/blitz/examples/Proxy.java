package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * A TCP proxy: what comes in at one port goes to another server, and its answers back.
 *
 * <p>Shows: Bytes.copyBothWays, half-closes that pass through, lines. Run: {@code ./blitz example
 * Proxy 8080 example.org 80}; without arguments it proxies a server of its own.
 */
public final class Proxy {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  private Proxy() {}

  /** Serves until it is killed: own port, the server's host and port. Or shows itself. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      if (args.length == 3) {
        try (var listener = TcpListener.bind(Integer.parseInt(args[0]))) {
          serve(listener, args[1], Integer.parseInt(args[2]));
        }
      } else {
        demonstrate();
      }
    });
  }

  /** Proxies all that connect to {@code listener}, until it is closed. */
  static void serve(TcpListener listener, String host, int port) {
    try (var clients = TaskScope.open(supervise((task, e) -> IO.println(e.getMessage())))) {
      for (TcpStream client : listener.connections()) {
        clients.spawn(owning(client), () -> proxy(client, host, port));
      }
    }
  }

  private static void proxy(TcpStream client, String host, int port) throws IOException {
    try (var server = TcpStream.connect(host, port).timeout(CONNECT_LIMIT).await()) {
      Bytes.copyBothWays(client, server).await();
    }
  }

  private static void demonstrate() throws IOException {
    try (var server = TcpListener.bind(0);
        var listener = TcpListener.bind(0)) {
      Task.spawn(() -> shoutBack(server));
      var proxy = Task.spawn(() -> serve(listener, "localhost", server.localAddress().getPort()));
      try (var client = TcpStream.connect("localhost", listener.localAddress().getPort()).await()) {
        var out = Lines.codec().writer(client);
        out.write("good morning").await();
        out.write("anybody there?").await();
        out.shutdown().await(); // the server sees it through the proxy, and ends too
        for (String answer : Lines.of(client)) {
          IO.println(answer);
        }
      }
      listener.close();
      proxy.await();
    }
  }

  private static void shoutBack(TcpListener server) throws IOException {
    try (var peer = server.accept().await()) {
      var out = Lines.codec().writer(peer);
      for (String line : Lines.of(peer)) {
        out.send(line.toUpperCase(Locale.ROOT)).await();
      }
      out.shutdown().await();
    }
  }
}
