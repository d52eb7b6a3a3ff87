package dev.blitz.io.process;

import dev.blitz.testkit.OnceIsEnough;
import org.junit.jupiter.api.Nested;

/** Dropped at every poll, however children are started and awaited. */
@OnceIsEnough
class ProcessDropTest {
  @Nested
  class ByTheJdk extends ProcessDropConformance {
    ByTheJdk() {
      super(new JdkSpawning(), null);
    }
  }

  @Nested
  class WithEpoll extends ProcessDropConformance {
    WithEpoll() {
      super(new NativeSpawning(), "epoll");
    }
  }

  @Nested
  class WithUring extends ProcessDropConformance {
    WithUring() {
      super(new NativeSpawning(), "io_uring");
    }
  }
}
