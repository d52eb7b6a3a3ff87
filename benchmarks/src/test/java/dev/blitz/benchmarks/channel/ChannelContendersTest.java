package dev.blitz.benchmarks.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.Fixture;
import org.junit.jupiter.api.Test;

/** Every contender does the same work: what each counts is the same, twice in a row. */
final class ChannelContendersTest {
  private static final ChannelSizes SMALL = new ChannelSizes(2_000, 50, 4, 100, 10, 3, 100);

  private final BlitzOnOneThread alone = new BlitzOnOneThread(SMALL);
  private final BlitzChannelTasks tasks = new BlitzChannelTasks(SMALL);
  private final KotlinChannelPeer kotlin = new KotlinChannelPeer(SMALL);
  private final JoxChannels jox = new JoxChannels(SMALL);
  private final JdkQueues jdk = new JdkQueues(SMALL);

  @Test
  void onOneThread_everyContender_countsAll() throws Exception {
    assertEachCounts(2_000, alone::send, kotlin::send, jox::send, jdk::send);
    assertEachCounts(
        2_000, alone::sendReceive, kotlin::sendReceive, jox::sendReceive, jdk::sendReceive);
    assertEachCounts(
        2_000,
        alone::sendReceiveUnbounded,
        kotlin::sendReceiveUnbounded,
        jox::sendReceiveUnbounded,
        jdk::sendReceiveUnbounded);
    assertEachCounts(2_000, alone::roundTrip, kotlin::roundTrip, jox::roundTrip, jdk::roundTrip);
    assertEachCounts(2_000, alone::oneshot, kotlin::oneshot, jdk::oneshot);
    assertEachCounts(8_000, alone::broadcast, jdk::broadcast);
    assertEachCounts(2_000, alone::watch, kotlin::watch);
  }

  @Test
  void betweenTasks_everyContender_countsAll() throws Exception {
    assertEachCounts(400, tasks::manyToMany, kotlin::manyToMany, jox::manyToMany, jdk::manyToMany);
    assertEachCounts(400, tasks::manyToOne, kotlin::manyToOne, jox::manyToOne, jdk::manyToOne);
    assertEachCounts(100, tasks::chain, kotlin::chain, jox::chain, jdk::chain);
    assertEachCounts(50, tasks::pingPong, kotlin::pingPong, jox::pingPong, jdk::pingPong);
  }

  private static void assertEachCounts(long expected, Fixture.Factory... contenders)
      throws Exception {
    for (Fixture.Factory contender : contenders) {
      Fixture fixture = contender.setUp();
      try {
        assertThat(fixture.run()).isEqualTo(expected);
        assertThat(fixture.run()).isEqualTo(expected);
      } finally {
        fixture.tearDown();
      }
    }
  }
}
