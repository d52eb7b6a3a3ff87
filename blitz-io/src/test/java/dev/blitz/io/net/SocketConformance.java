package dev.blitz.io.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.observe.BackendProbe;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What TCP must do on every backend, in several classes by topic; each backend has a test with a
 * nested subclass of each.
 */
@Strict
abstract class SocketConformance {
  final String backend;
  SocketWorld world;

  @SuppressWarnings("NullAway.Init") // before each test
  SocketConformance(String backend) {
    this.backend = backend;
  }

  /** Whether the system is reached by the JDK alone, which hands on only some of what it has. */
  boolean isOfTheJdk() {
    return false;
  }

  @BeforeEach
  void open() {
    BackendProbe probe = TestBackends.probe(backend);
    assumeTrue(probe.available(), probe::toString);
    world = new SocketWorld(backend, 2);
  }

  @AfterEach
  void close() {
    if (world != null) {
      world.close();
    }
  }

  /** Whether closes can be made to linger or to reset: an option that not every backend has. */
  final boolean hasLinger() {
    return !backend.equals("iocp");
  }

  final void needsLinger() {
    assumeTrue(hasLinger(), "the JDK's asynchronous channels have no SO_LINGER, so no reset");
  }

  /** The stackless echo of the guide, served by tasks. */
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

  final void awaitIdle(String what) {
    Await.until(
        () -> world.runtime.dump().stream().anyMatch(line -> line.contains(what)),
        "a task that waits for " + what);
  }
}
