package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A monitor that both workers and virtual threads take would hang a runtime: a virtual thread that
 * is next for it may need the very worker that waits behind it.
 */
@Strict
class NoMonitorTest {

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll", "nio"})
  void waitingForBytes_needsNoMonitorOfTheEndpoint(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1);
        var pair = world.pair()) {
      synchronized (pair.server().endpoint) {
        var reading = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(1)));
        var writing = pair.client().writeAll(SocketWorld.bytes("x"));
        writing.await();
        assertThat(reading.await()).isEqualTo(1);
      }
    }
  }
}
