package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.CopyConformance;
import dev.blitz.io.bytes.StreamConformance;
import dev.blitz.io.future.Futures;
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
      TestBackends.assumeAvailable(backend);
      return TestBackends.builder(backend).workers(2).build();
    }

    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      return connected(runtime);
    }
  }

  abstract static class Copies extends CopyConformance {
    private final String backend;

    Copies(String backend) {
      this.backend = backend;
    }

    @Override
    protected BlitzRuntime open() {
      TestBackends.assumeAvailable(backend);
      return TestBackends.builder(backend).workers(2).build();
    }

    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      return connected(runtime);
    }
  }

  private static ByteStream[] connected(BlitzRuntime runtime) throws Exception {
    try (var listener =
        runtime.run(Futures.lazy(() -> TcpListener.bind(SocketWorld.loopback(0))))) {
      var connecting = runtime.run(Futures.lazy(() -> TcpStream.connect(listener.localAddress())));
      var client = connecting.await();
      return new ByteStream[] {client, listener.accept().await()};
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

  @Nested
  class OnPoll extends Tcp {
    OnPoll() {
      super("poll");
    }
  }

  @Nested
  class OnNio extends Tcp {
    OnNio() {
      super("nio");
    }
  }

  @Nested
  class CopiesOnEpoll extends Copies {
    CopiesOnEpoll() {
      super("epoll");
    }
  }

  @Nested
  class CopiesOnUring extends Copies {
    CopiesOnUring() {
      super("io_uring");
    }
  }

  @Nested
  class CopiesOnNio extends Copies {
    CopiesOnNio() {
      super("nio");
    }
  }
}
