package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.TestBackends;
import dev.blitz.io.internal.driver.Endpoint;
import dev.blitz.io.internal.driver.OwnedEndpoint;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that meet the end of the stack: whatever they have begun to use, they let go of. */
@Strict
@OnceIsEnough
@TimeLimit(180) // thousands of overflows, each with its stack trace
class DeepStackTest {
  private static int users(Endpoint endpoint) {
    return ((OwnedEndpoint<?>) endpoint).users();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll", "nio"})
  void triesAtTheEndOfTheStack_keepNoUse(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1);
        var pair = world.pair();
        var listener = world.listen()) {
      var target = ByteBuffer.allocateDirect(16);
      int failures = 0;
      for (int round = 0; round < 20; round++) {
        failures += DeepCalls.downToTheEnd(() -> pair.server().endpoint.localAddress(), round);
        failures += DeepCalls.downToTheEnd(() -> pair.server().tryRead(target.clear()), round);
        failures += DeepCalls.downToTheEnd(() -> listener.tryAccept(), round);
      }
      assertThat(failures).isPositive();
      assertThat(users(pair.server().endpoint)).isZero();
      assertThat(users(listener.endpoint)).isZero();
    }
  }
}
