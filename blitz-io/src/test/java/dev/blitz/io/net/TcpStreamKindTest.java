package dev.blitz.io.net;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.StreamConformance;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.backends.Backends;
import org.junit.jupiter.api.Nested;

/** TCP as a kind of stream, on each backend. */
class TcpStreamKindTest {

  abstract static class Tcp extends StreamConformance {
    private final String backend;

    Tcp(String backend) {
      this.backend = backend;
    }

    @Override
    protected BlitzRuntime open() {
      assumeTrue(
          Backends.probeAll().stream().anyMatch(p -> p.name().equals(backend) && p.available()));
      return BlitzRuntime.builder().backend(backend).workers(2).build();
    }

    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      try (var listener =
          runtime.run(Futures.lazy(() -> TcpListener.bind(SocketWorld.loopback(0))))) {
        var connecting =
            runtime.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress())));
        var client = connecting.await();
        return new ByteStream[] {client, listener.accept().await()};
      }
    }
  }

  @Nested
  class OnEpoll extends Tcp {
    OnEpoll() {
      super("epoll");
    }
  }

  @Nested
  class OnUring extends Tcp {
    OnUring() {
      super("io_uring");
    }
  }
}
