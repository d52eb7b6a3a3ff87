package dev.blitz.io.net.tls;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.StreamConformance;
import dev.blitz.testkit.OnceIsEnough;
import org.junit.jupiter.api.Nested;

/** TLS as a kind of stream, over memory and over TCP on each backend. */
@OnceIsEnough
class TlsStreamKindTest {

  @Nested
  class OverMemory extends StreamConformance {
    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      return TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server()).ends();
    }
  }

  abstract static class OverTcp extends StreamConformance {
    private final String backend;

    OverTcp(String backend) {
      this.backend = backend;
    }

    @Override
    protected BlitzRuntime open() {
      TestBackends.assumeAvailable(backend);
      return TestBackends.builder(backend).workers(2).build();
    }

    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      var tcp = TlsWorld.tcp(runtime);
      return TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), tcp[0], tcp[1]).ends();
    }
  }

  @Nested
  class OnEpoll extends OverTcp {
    OnEpoll() {
      super("epoll");
    }
  }

  @Nested
  class OnUring extends OverTcp {
    OnUring() {
      super("io_uring");
    }
  }

  @Nested
  class OnPoll extends OverTcp {
    OnPoll() {
      super("poll");
    }
  }

  @Nested
  class OnNio extends OverTcp {
    OnNio() {
      super("nio");
    }
  }
}
