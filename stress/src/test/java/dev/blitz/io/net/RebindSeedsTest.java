package dev.blitz.io.net;

import dev.blitz.testkit.Strict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look at it with each build; {@code ./blitz stress} takes its time. */
@Strict
class RebindSeedsTest {

  @Test
  void aPort_isFree_theMomentItsSocketIsClosed() throws Exception {
    new RebindSeededStress().run(1, Duration.ofMillis(1500));
  }
}
