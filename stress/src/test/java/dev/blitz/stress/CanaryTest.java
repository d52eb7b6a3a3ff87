package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each tool finds its canary, through the very code that runs the real checks. */
class CanaryTest {
  /**
   * Progress goes nowhere: "failed" is the good news here, but would not read like it in the
   * build's output.
   */
  private static final PrintStream OUT = new PrintStream(OutputStream.nullOutputStream());

  @Test
  void jcstress_seesTheReordering() throws Exception {
    Tally tally = new JcstressKind(OUT).run(Selection.CANARIES, Duration.ofSeconds(8));

    String flags = "dev.blitz.stress.canary.PlainFlagsStress";
    String side = "dev.blitz.stress.canary.UnfencedSideStress";
    assertThat(tally.declared()).containsExactlyInAnyOrder(flags, side);
    assertThat(tally.executed()).containsExactlyInAnyOrder(flags, side);
    assertThat(tally.failures()).containsOnlyKeys(flags, side);
    assertThat(tally.failures().get(flags)).contains("0, 0");
    assertThat(tally.failures().get(side)).contains("Each left it to the other");
    assertThat(tally.passed()).isFalse();
  }

  @Test
  void lincheck_findsTheInterleaving() throws Exception {
    Tally tally = new LincheckKind(OUT).run(Selection.CANARIES, Duration.ZERO);

    assertFound(
        tally,
        "dev.blitz.stress.canary.RacyQueueLincheckTest.queue_isLinearisable",
        "Invalid execution results");
  }

  @Test
  void seeded_noticesTheLostUpdate() throws Exception {
    Tally tally = new SeededKind(42, OUT).run(Selection.CANARIES, Duration.ofSeconds(10));

    assertFound(tally, "dev.blitz.stress.canary.PlainCounterSeededStress", "seed 42");
  }

  private static void assertFound(Tally tally, String name, String message) {
    assertThat(tally.declared()).containsExactly(name);
    assertThat(tally.executed()).containsExactly(name);
    assertThat(tally.failures()).containsOnlyKeys(name);
    assertThat(tally.failures().get(name)).contains(message);
    assertThat(tally.passed()).isFalse();
  }
}
