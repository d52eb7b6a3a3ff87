package dev.blitz.benchmarks.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import org.junit.jupiter.api.Test;

/** Both contenders do the same work, twice in a row. */
final class DirectContendersTest {
  private static final DirectSizes SMALL = new DirectSizes(3, 100, 50, 10, 20);

  private final DirectTasks direct = new DirectTasks(SMALL);
  private final PlainThreads plain = new PlainThreads(SMALL);

  @Test
  void spawnJoin_sumsAllResults() throws Exception {
    assertEachCounts(3 * 4950, direct::spawnJoin, plain::spawnJoin);
  }

  @Test
  void pingPong_makesAllTurns() throws Exception {
    assertEachCounts(100, direct::lockPingPong, plain::lockPingPong);
    assertEachCounts(100, direct::parkPingPong, plain::parkPingPong);
  }

  @Test
  void yields_yieldAllTimes() throws Exception {
    assertEachCounts(200, direct::yields, plain::yields);
  }

  private static void assertEachCounts(long expected, Fixture.Factory... factories)
      throws Exception {
    for (Fixture.Factory factory : factories) {
      Fixture fixture = factory.setUp();
      try {
        assertThat(fixture.run()).isEqualTo(expected);
        assertThat(fixture.run()).isEqualTo(expected);
      } finally {
        fixture.tearDown();
      }
    }
  }
}
