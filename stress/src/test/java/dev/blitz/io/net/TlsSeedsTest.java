package dev.blitz.io.net;

import dev.blitz.testkit.Strict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look at TLS with each build; {@code ./blitz stress} takes its time. */
@Strict
class TlsSeedsTest {
  @Test
  void clientsThatCutAndDrop_loseNoByte() throws Exception {
    new TlsSeededStress().run(1, Duration.ofMillis(700));
  }

  @Test
  void aServerThatOnlyCloses_isHeardToSayGoodbye() throws Exception {
    new TlsCloseSeededStress().run(1, Duration.ofMillis(700));
  }
}
