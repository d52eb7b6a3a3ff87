package dev.blitz.examples.guide;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.shutdown.ShutdownReport;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.SignalListener;
import dev.blitz.io.signal.Signals;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.time.Duration;

/** docs/guide/shutdown.md. */
@SuppressWarnings({"CheckReturnValue", "DoNotCallSuggester", "try", "UnusedVariable"})
abstract class Shutdowns {
  record Request(String line) {}

  static IoFuture<Request> readRequest(TcpStream stream) {
    throw new UnsupportedOperationException(stream.toString());
  }

  static void answer(TcpStream stream, Request request) throws IOException {
    throw new UnsupportedOperationException(stream.toString() + request);
  }

  abstract void server(Shutdown shutdown) throws IOException;

  abstract void readConfiguration();

  void main() throws Exception {
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals();
          var listener = TcpListener.bind(8080);
          var connections =
              shutdown.track(
                  TaskScope.open(
                      supervise((client, e) -> IO.println(client + ": " + e)).and(limit(1000))))) {
        shutdown.whileRunning(
            listener::accept,
            stream -> connections.spawn(owning(stream), () -> serve(stream, shutdown)));
        listener.close();
        ShutdownReport report = shutdown.drain(Duration.ofSeconds(30));
      }
    });
  }

  static void serve(TcpStream stream, Shutdown shutdown) throws IOException {
    try {
      while (true) {
        Request request = shutdown.guard(readRequest(stream)).await();
        answer(stream, request);
      }
    } catch (CancelledException e) {
      // No more requests.
    }
  }

  void runtime() throws Exception {
    try (var runtime = BlitzRuntime.create();
        var shutdown = Shutdown.onSignals(runtime)) {
      runtime.spawn(() -> server(shutdown)).detach();
      shutdown.triggered().await();
      IO.println(shutdown.drain(Duration.ofSeconds(30)));
    }
  }

  void hangUps() throws Exception {
    try (SignalListener hangUps = Signals.listen(Signal.HUP)) {
      while (true) {
        hangUps.next().await();
        readConfiguration();
      }
    }
  }
}
