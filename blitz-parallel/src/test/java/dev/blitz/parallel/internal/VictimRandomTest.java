package dev.blitz.parallel.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VictimRandomTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 42, Long.MIN_VALUE})
  void below_isFairAndInRange(long seed) {
    var random = new VictimRandom(seed);
    int[] hits = new int[7];
    for (int i = 0; i < 70_000; i++) {
      hits[random.below(7)]++;
    }
    for (int hit : hits) {
      assertThat(hit).isBetween(9_000, 11_000);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1024})
  void shareTarget_coversTheWayToTheFirstCoarseLeaf(int workers) {
    int expected = workers == 1 ? 0 : workers == 2 ? 2 : 11;
    assertThat(Tuning.shareTarget(workers)).isEqualTo(expected);
  }
}
