package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy that tries again while the server behind it is not there yet, and passes half-closes on.
 *
 * <p>Shows: retry, time-outs, Bytes.copyBothWays. Run: {@code ./blitz example Proxy}.
 */
public final class Proxy {
  private static final Backoff PATIENCE =
      Backoff.exponential(Duration.ofMillis(5)).cap(Duration.ofMillis(100)).limit(1_000);

  private Proxy() {}

  /** A client asks before the server has been started. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      int behind = freePort();
      var tries = new AtomicInteger();
      try (var listener = TcpListener.bind(0);
          var all = TaskScope.open(supervise((who, e) -> IO.println(who + ": " + e)))) {
        all.spawn(() -> serve(listener, behind, all, tries));
        try (var client =
            TcpStream.connect("localhost", listener.localAddress().getPort()).await()) {
          client.writeAll(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8))).await();
          client.shutdown().await();
          while (tries.get() < 2) {
            Task.sleep(Duration.ofMillis(1)).await();
          }
          try (var late = TcpListener.bind(behind)) {
            all.spawn(() -> shout(late));
            var answer = ByteBuffer.allocate(64);
            client.read(answer).await();
            IO.println(new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8));
          }
        }
        all.cancel();
      }
    });
  }

  /** Passes each connection on to a server on this machine. */
  static void serve(TcpListener listener, int behind, TaskScope all, AtomicInteger tries)
      throws IOException {
    while (true) {
      var client = all.guard(listener.accept()).await();
      all.spawn(owning(client), () -> pass(client, behind, tries));
    }
  }

  private static void pass(TcpStream client, int behind, AtomicInteger tries) throws Exception {
    try (var server =
        Task.retry(
            PATIENCE,
            () -> {
              tries.incrementAndGet();
              return TcpStream.connect("localhost", behind).timeout(Duration.ofSeconds(5)).await();
            })) {
      Bytes.copyBothWays(client, server).await();
    }
  }

  /** The server behind: one answer, in capitals. */
  private static void shout(TcpListener listener) throws IOException {
    try (var client = listener.accept().await()) {
      var request = ByteBuffer.allocate(64);
      while (client.read(request).await() >= 0) {}
      for (int i = 0; i < request.position(); i++) {
        request.put(i, (byte) Character.toUpperCase(request.get(i)));
      }
      client.writeAll(request.flip()).await();
    }
  }

  private static int freePort() throws IOException {
    try (var listener = TcpListener.bind(0)) {
      return listener.localAddress().getPort();
    }
  }
}
