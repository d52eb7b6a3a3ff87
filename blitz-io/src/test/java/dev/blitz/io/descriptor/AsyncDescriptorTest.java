package dev.blitz.io.descriptor;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.bytes.StreamConformance;
import dev.blitz.io.future.Futures;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Descriptors of other makers, on each backend; and as a kind of stream. */
class AsyncDescriptorTest {

  @Test
  void aStranger_isTold() {
    assertThatThrownBy(AsyncDescriptor::pipe)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a descriptor");
  }

  @Nested
  class OnEpoll extends DescriptorConformance {
    OnEpoll() {
      super("epoll");
    }
  }

  @Nested
  class OnUring extends DescriptorConformance {
    OnUring() {
      super("io_uring");
    }
  }

  @Nested
  class OnPoll extends DescriptorConformance {
    OnPoll() {
      super("poll");
    }
  }

  /** Two connected sockets, which are streams both ways. */
  abstract static class Sockets extends StreamConformance {
    private final String backend;

    Sockets(String backend) {
      this.backend = backend;
    }

    @Override
    protected BlitzRuntime open() {
      TestBackends.assumeAvailable(backend);
      return TestBackends.builder(backend).workers(2).build();
    }

    @Override
    protected ByteStream[] connect(BlitzRuntime runtime) throws Exception {
      int[] ends = TestDescriptors.socketPair();
      return runtime.run(
          Futures.lazy(() ->
              new ByteStream[] {AsyncDescriptor.adopt(ends[0]), AsyncDescriptor.adopt(ends[1])}));
    }
  }

  @Nested
  class SocketsOnEpoll extends Sockets {
    SocketsOnEpoll() {
      super("epoll");
    }
  }

  @Nested
  class SocketsOnUring extends Sockets {
    SocketsOnUring() {
      super("io_uring");
    }
  }
}
