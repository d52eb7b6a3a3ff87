package dev.blitz.io.internal.driver.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class PollPollerTest {
  private static final int NOBODYS = 1 << 20;

  @Test
  void aNumberThatNobodyHas_isToldOnce() throws Exception {
    String obstacle = NativeAccess.obstacleOnLinux();
    assumeTrue(obstacle == null, obstacle);
    PollPoller poller = PollPoller.open();
    try {
      poller.arm(NOBODYS, EventBits.READABLE, 7);
      var events = poller.newEvents();
      poller.look(events);
      assertThat(events.count()).isEqualTo(1);
      assertThat(events.key(0)).isEqualTo(7);
      poller.look(events);
      assertThat(events.count()).as("else a worker would never sleep").isZero();
    } finally {
      poller.close();
    }
  }
}
