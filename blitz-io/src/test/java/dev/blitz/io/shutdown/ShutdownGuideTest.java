package dev.blitz.io.shutdown;

import static dev.blitz.io.task.ScopePolicy.limit;
import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.Blitz;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.process.Command;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.SignalListener;
import dev.blitz.io.signal.Signals;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The programs of docs/guide/shutdown.md, as they stand there. */
@Strict
class ShutdownGuideTest {
  private static final int LINE = 6;

  private static IoFuture<ByteBuffer> readRequest(TcpStream stream) {
    var request = ByteBuffer.allocate(LINE);
    return stream.readFully(request).map(done -> request.flip());
  }

  private static void answer(TcpStream stream, ByteBuffer request) throws IOException {
    stream.writeAll(request).await();
  }

  static void serve(TcpStream stream, Shutdown shutdown) throws IOException {
    try {
      while (true) {
        ByteBuffer request = shutdown.guard(readRequest(stream)).await();
        answer(stream, request); // not guarded: what has begun is finished
      }
    } catch (CancelledException e) {
      // No more requests.
    }
  }

  @Test
  void aServer_endsInOrder() throws Exception {
    var failures = new AtomicInteger();
    var report = new AtomicReference<@Nullable ShutdownReport>();
    Blitz.run(() -> {
      try (var shutdown = Shutdown.onSignals(); // INT, TERM; a second one forces
          var listener = TcpListener.bind(0);
          var connections =
              shutdown.track(
                  TaskScope.open(
                      supervise((who, e) -> failures.incrementAndGet()).and(limit(1000))))) {
        var client = Task.spawn(() -> visit(listener, shutdown));
        shutdown.whileRunning(
            listener::accept,
            stream -> connections.spawn(owning(stream), () -> serve(stream, shutdown)));
        report.set(shutdown.drain(Duration.ofSeconds(30)));
        client.await();
      }
    });
    assertThat(failures).hasValue(0);
    assertThat(report.get()).isNotNull().matches(r -> r.left().isEmpty());
  }

  private static void visit(TcpListener listener, Shutdown shutdown) throws IOException {
    try (var stream = TcpStream.connect(listener.localAddress()).await()) {
      var buffer = ByteBuffer.allocate(LINE);
      for (int i = 0; i < 3; i++) {
        stream.writeAll(StandardCharsets.UTF_8.encode("hello\n")).await();
        if (i == 2) {
          shutdown.trigger("the test"); // a request that was sent before is answered
        }
        stream.readFully(buffer.clear()).await();
      }
      assertThat(stream.read(buffer.clear()).await()).as("the server has closed").isEqualTo(-1);
    }
  }

  @Test
  void aRuntimeOfItsOwn_closesAfterTheShutdown() throws Exception {
    var begun = new CountDownLatch(1);
    try (var runtime = BlitzRuntime.create();
        var shutdown = Shutdown.onSignals(runtime)) {
      runtime
          .spawn(() -> {
            begun.countDown();
            shutdown.trigger("the test");
          })
          .detach();
      shutdown.triggered().await();
      assertThat(shutdown.drain(Duration.ofSeconds(30)).left()).isEmpty();
    }
    begun.await();
  }

  /** Whether this program was not started as one that ignores the signal, as by nohup. */
  private static boolean hears(int number) throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return true;
    }
    String ignored =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring("SigIgn:".length()).strip())
            .findFirst()
            .orElse("0");
    return (Long.parseUnsignedLong(ignored, 16) & (1L << (number - 1))) == 0;
  }

  @Test
  void hangUps_areHeard() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "a POSIX system");
    assumeTrue(hears(1), "a program that was not told to ignore it");
    Blitz.run(() -> {
      try (SignalListener hangUps = Signals.listen(Signal.HUP)) {
        String kill = "kill -s HUP " + ProcessHandle.current().pid();
        assertThat(Command.of("/bin/sh", "-c", kill).status().await().success()).isTrue();
        hangUps.next().await();
      }
    });
  }
}
