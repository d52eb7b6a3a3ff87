package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.Hosts;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.CancelToken;
import dev.blitz.io.task.SpawnOptions;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/** docs/guide/network.md. */
@SuppressWarnings({"CheckReturnValue", "try", "UnusedVariable"}) // only to be compiled
abstract class Network {
  static class Server {
    static void echo(TcpStream stream) throws IOException {
      var buffer = ByteBuffer.allocateDirect(4096);
      while (stream.read(buffer).timeout(Duration.ofMinutes(1)).await() >= 0) {
        stream.writeAll(buffer.flip()).timeout(Duration.ofSeconds(10)).await();
        buffer.clear();
      }
    }

    static void serve(int port, CancelToken stop) throws IOException {
      try (var listener = TcpListener.bind(port);
          var connections =
              TaskScope.open(
                  supervise((client, e) -> IO.println(client + ": " + e)).and(limit(1000)))) {
        try {
          while (true) {
            var stream = stop.guard(listener.accept()).await();
            connections.spawn(owning(stream), () -> echo(stream));
          }
        } catch (CancelledException stopped) {
          listener.close();
        }
        connections.drain(Duration.ofSeconds(30));
      }
    }

    void main() throws Exception {
      var stop = CancelToken.create();
      try (var runtime = BlitzRuntime.create()) {
        var server = runtime.spawn(SpawnOptions.named("server"), () -> serve(8080, stop));
        Runtime.getRuntime()
            .addShutdownHook(
                new Thread(() -> {
                  stop.cancel();
                  Futures.outcome(server).await();
                }));
        server.await();
      }
    }
  }

  static Future<Done> echo(TcpStream stream) {
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
                            })))
        .whenDone(stream::close);
  }

  static void names() throws IOException {
    List<InetAddress> addresses =
        Hosts.resolve("example.org").timeout(Duration.ofSeconds(2)).await();
    BlitzRuntime.builder().nameLookup(host -> List.of(InetAddress.getLoopbackAddress())).build();
  }
}
