package dev.blitz.io.net.tls;

import static dev.blitz.io.net.tls.TlsWorld.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.DeepStack;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A close says close_notify wherever the peer reads, also while an earlier write has been taken and
 * is not in the kernel yet: that is no waiting.
 */
@Strict
class TlsCloseTest {
  /** More than any call needs. */
  private static final int LEVELS = 1_500;

  private interface Body {
    void run(BlitzRuntime runtime, TlsWorld.Pair pair) throws Exception;
  }

  /** One worker, so that what it does in one poll is not sent by another. */
  private static void with(String backend, Body body) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    try (var runtime = TestBackends.builder(backend).workers(1).build()) {
      var tcp = TlsWorld.tcp(runtime);
      try (var pair =
          TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), tcp[0], tcp[1])) {
        assertThat(TlsWorld.echoes(pair)).isTrue();
        body.run(runtime, pair);
      }
    }
  }

  /** The peer gets so many bytes and then the end; {@link TruncatedException} is none. */
  private static void assertEnds(TlsStream peer, int length) throws Exception {
    assertThat(TlsWorld.read(peer, length + 1)).hasSize(length);
    assertThat(peer.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
  }

  private static int writeNow(TlsStream stream, int length) throws Exception {
    var source = ByteBuffer.allocate(length);
    while (source.hasRemaining() && stream.tryWrite(source) != ByteWriter.PENDING) {
      // go on
    }
    return source.position();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void fromOutside_whileTheWorkerThatWroteComputes(String backend) throws Exception {
    with(
        backend,
        (runtime, pair) -> {
          var wrote = new AtomicBoolean();
          var closed = new AtomicBoolean();
          var worker =
              runtime.spawn(
                  Futures.lazy(() -> {
                    int n = pair.server().tryWrite(bytes("answer"));
                    wrote.set(true);
                    while (!closed.get()) {
                      Thread.onSpinWait();
                    }
                    return n;
                  }));
          Await.until(wrote::get, "the write");
          pair.server().close();
          closed.set(true);
          assertThat(worker.await()).isEqualTo(6);
          assertEnds(pair.client(), 6);
        });
  }

  /** Together with the goodbye they are more than is sent at once by one piece. */
  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void inThePollOfTheWrite_whateverItsLength(String backend) throws Exception {
    for (int length = 16_300; length <= 16_384; length += 12) {
      int all = length;
      with(
          backend,
          (runtime, pair) -> {
            int written =
                runtime.run(
                    Futures.lazy(() -> {
                      int n = writeNow(pair.server(), all);
                      pair.server().close();
                      return n;
                    }));
            assertEnds(pair.client(), written);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void inThePollOfTheWrites_howeverMany(String backend) throws Exception {
    with(
        backend,
        (runtime, pair) -> {
          int written =
              runtime.run(
                  Futures.lazy(() -> {
                    int n = 0;
                    for (int i = 0; i < 300; i++) {
                      n += writeNow(pair.server(), 7);
                    }
                    pair.server().close();
                    return n;
                  }));
          assertThat(written).isEqualTo(2_100);
          assertEnds(pair.client(), written);
        });
  }

  /** What its close needs of the stack is there before it begins, also for the socket below. */
  @ParameterizedTest
  @OnceIsEnough
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void atTheEndOfTheStack_itIsClosedInTheEnd_andTheSocketToo(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    try (var runtime = TestBackends.builder(backend).workers(1).build()) {
      int overflows = 0;
      for (int round = 0; round < 2; round++) {
        var tcp = TlsWorld.tcp(runtime);
        try (var pair =
            TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), tcp[0], tcp[1])) {
          overflows += DeepStack.climb(LEVELS, level -> pair.client().close());
          assertThat(pair.client().isOpen() || tcp[0].isOpen()).as("round %s", round).isFalse();
          assertEnds(pair.server(), 0);
        }
      }
      assertThat(overflows).isPositive();
    }
  }

  @ParameterizedTest
  @OnceIsEnough
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void aHandshakeThatIsDroppedAtTheEndOfTheStack_closesItsSocket(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    try (var runtime = TestBackends.builder(backend).workers(1).build()) {
      int overflows = 0;
      for (int round = 0; round < 2; round++) {
        var tcp = TlsWorld.tcp(runtime);
        try (var near = tcp[0];
            var far = tcp[1]) {
          var shaking = TlsWorld.client().connect(near, TlsWorld.HOST);
          assertThat(shaking.poll(Context.of(() -> {}))).isNull();
          overflows += DeepStack.climb(LEVELS, level -> shaking.drop());
          assertThat(near.isOpen()).as("round %s", round).isFalse();
          assertThat(far.isOpen()).isTrue();
        }
      }
      assertThat(overflows).isPositive();
    }
  }
}
