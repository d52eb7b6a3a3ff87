package dev.blitz.stress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final String CANARY = "dev.blitz.stress.canary.PlainFlagsStress";
  private static final String CHECK = "dev.blitz.io.internal.scheduler.RingStress";

  @Test
  void all_leavesOutOnlyTheCanaries() {
    assertThat(Selection.ALL.predicate()).accepts(CHECK).rejects(CANARY);
  }

  @Test
  void canaries_areNothingElse() {
    assertThat(Selection.CANARIES.predicate()).accepts(CANARY).rejects(CHECK);
  }

  @Test
  void matching_searchesInTheNameAndNeverFindsCanaries() {
    assertThat(Selection.matching("Ring|Flags").predicate()).accepts(CHECK).rejects(CANARY);
    assertThat(Selection.matching("Deque").predicate()).rejects(CHECK);
  }
}
