package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VerdictTest {
  @Test
  void ofRatio_medianAndLowerQuartileExactlyAtTheirBounds_holds() {
    assertThat(Verdict.ofRatio(new Quartiles(1.9, 2.0, 2.1), 2.0)).isEqualTo(Verdict.HOLDS);
  }

  @Test
  void ofRatio_medianJustBelowTarget_isMiss() {
    assertThat(Verdict.ofRatio(new Quartiles(1.99, 1.999, 2.1), 2.0)).isEqualTo(Verdict.MISS);
  }

  @Test
  void ofRatio_lowerQuartileTooLow_isMissDespiteGoodMedian() {
    assertThat(Verdict.ofRatio(new Quartiles(1.89, 2.5, 3.0), 2.0)).isEqualTo(Verdict.MISS);
  }

  @Test
  void ofBytes_noiseHoldsAndAnythingLikeAnObjectMisses() {
    assertThat(Verdict.ofBytes(new Quartiles(0, 0.001, 0.2))).isEqualTo(Verdict.HOLDS);
    assertThat(Verdict.ofBytes(new Quartiles(0, 0.05, 0.2))).isEqualTo(Verdict.MISS);
    assertThat(Verdict.ofBytes(new Quartiles(16, 16, 16))).isEqualTo(Verdict.MISS);
  }
}
