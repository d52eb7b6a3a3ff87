package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.Endpoint;
import dev.blitz.io.internal.driver.socket.SocketEndpoint;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that meet the end of the stack: whatever they have begun to use, they let go of. */
@Strict
@OnceIsEnough
class DeepStackTest {

  private interface Call {
    void make() throws IOException;
  }

  /** Makes the call with ever less room, on the way back from the end of the stack. */
  private static void downToTheEnd(Call call, AtomicInteger failures, int extra)
      throws InterruptedException {
    var unexpected = new AtomicReference<Throwable>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                dive(call, failures, extra);
              } catch (StackOverflowError e) {
                // at the very end
              } catch (Throwable t) {
                unexpected.set(t);
              }
            },
            "deep",
            256 * 1024);
    thread.start();
    thread.join();
    assertThat(unexpected).hasNullValue();
  }

  /** {@code extra}: shifts where the frames end, so that each round meets other places. */
  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private static long dive(Call call, AtomicInteger failures, long extra) throws IOException {
    long a = extra + 1;
    long b = extra + 2;
    try {
      a += dive(call, failures, b - 2);
    } finally {
      try {
        call.make();
      } catch (StackOverflowError e) {
        failures.incrementAndGet();
      }
    }
    return a + b;
  }

  private static int users(Endpoint endpoint) {
    return ((SocketEndpoint) endpoint).socket().descriptor().users();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void triesAtTheEndOfTheStack_keepNoUse(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    try (var world = new SocketWorld(backend, 1);
        var pair = world.pair();
        var listener = world.listen()) {
      var target = ByteBuffer.allocateDirect(16);
      var failures = new AtomicInteger();
      for (int round = 0; round < 20; round++) {
        downToTheEnd(() -> pair.server().endpoint.localAddress(), failures, round);
        downToTheEnd(() -> pair.server().tryRead(target.clear()), failures, round);
        downToTheEnd(() -> listener.tryAccept(), failures, round);
      }
      assertThat(failures).hasPositiveValue();
      assertThat(users(pair.server().endpoint)).isZero();
      assertThat(users(listener.endpoint)).isZero();
    }
  }
}
