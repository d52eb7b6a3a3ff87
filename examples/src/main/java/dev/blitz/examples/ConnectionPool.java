package dev.blitz.examples;

import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A pool of connections: so many at most, used again when they are fine and thrown away when they
 * are not; who finds none waits for a while.
 *
 * <p>Shows: Semaphore, time-outs, TaskScope.map. Run: {@code ./blitz example ConnectionPool}.
 */
public final class ConnectionPool implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final InetSocketAddress server;
  private final Semaphore places;
  private final Deque<TcpStream> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger connected = new AtomicInteger();

  ConnectionPool(InetSocketAddress server, int most) {
    this.server = server;
    this.places = Semaphore.create("connections", most);
  }

  /** What is done with a connection. */
  interface Use<T> {
    T with(TcpStream connection) throws IOException;
  }

  /** Lends a connection for one exchange. One whose use has failed is not used again. */
  <T> T use(Use<T> exchange) throws IOException {
    try (var _ = places.acquire().timeout(PATIENCE).await()) {
      TcpStream connection = idle.pollFirst();
      if (connection == null) {
        connection = TcpStream.connect(server).timeout(PATIENCE).await();
        connected.incrementAndGet();
      }
      boolean fine = false;
      try {
        T answer = exchange.with(connection);
        fine = true;
        return answer;
      } finally {
        if (fine) {
          idle.addFirst(connection); // the warmest first
        } else {
          connection.close();
        }
      }
    }
  }

  @Override
  public void close() {
    places.close();
    for (var connection = idle.poll(); connection != null; connection = idle.poll()) {
      connection.close();
    }
  }

  /** Asks a hundred times, sixteen at once, over three connections. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(0);
          var servers = TaskScope.open();
          var pool = new ConnectionPool(listener.localAddress(), 3)) {
        servers.spawn(() -> serve(listener, servers));
        var sums =
            TaskScope.map(
                IntStream.range(0, 100).boxed().toList(),
                16,
                i -> pool.use(c -> SumProtocol.sum(c, c, 1, 2, 3, i)));
        IO.println(sums.size() + " answers, the last is " + sums.getLast());
        IO.println("connections: " + pool.connected.get());
        servers.cancel();
      }
    });
  }

  private static void serve(TcpListener listener, TaskScope servers) throws IOException {
    while (true) {
      var client = listener.accept().await();
      servers.spawn(owning(client), () -> SumProtocol.serve(client));
    }
  }
}
