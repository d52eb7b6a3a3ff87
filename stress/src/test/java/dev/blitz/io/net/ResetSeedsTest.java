package dev.blitz.io.net;

import dev.blitz.testkit.Strict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look at the resets with each build; {@code ./blitz stress} takes its time. */
@Strict
class ResetSeedsTest {
  private static final Duration PER_SEED = Duration.ofMillis(700);

  @Test
  void clientsThatReset_leaveNoReaderBehind() throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      new ResetSeededStress().run(seed, PER_SEED);
    }
  }
}
