package dev.blitz.benchmarks.harness;

import static dev.blitz.benchmarks.harness.SampleResults.allocating;
import static dev.blitz.benchmarks.harness.SampleResults.contender;
import static dev.blitz.benchmarks.harness.SampleResults.workload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.benchmarks.harness.WorkloadResult.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ComparisonRowTest {
  private static final List<Target> TWICE = List.of(Target.ratio("peer", 2));

  @Test
  void ratios_areTakenWithinARound_soACommonDisturbanceCancels() {
    // The medians alone, 12 and 10, would say 1.2.
    var ratio = ComparisonRow.ratios(List.of(20.0, 12.0, 8.0), List.of(10.0, 6.0, 40.0));
    assertThat(ratio.median()).isEqualTo(2.0);
  }

  @Test
  void ratios_ofDifferentRounds_areRefused() {
    assertThatThrownBy(() -> ComparisonRow.ratios(List.of(1.0), List.of(1.0, 2.0)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_peerTwiceAsSlow_holdsATargetOfTwo() {
    var row = only(workload("w", TWICE, contender("blitz", 5.0), contender("peer", 10.0)));
    assertThat(row.verdict()).isEqualTo(Verdict.HOLDS);
    assertThat(row.target()).isEqualTo("2.00x");
  }

  @Test
  void of_slowerSubject_isAMiss() {
    var row = only(workload("w", TWICE, contender("blitz", 5.0), contender("peer", 9.0)));
    assertThat(row.verdict()).isEqualTo(Verdict.MISS);
  }

  @Test
  void of_peerWithoutTarget_isReported() {
    var row = only(workload("w", List.of(), contender("blitz", 5.0), contender("peer", 1.0)));
    assertThat(row.verdict()).isEqualTo(Verdict.REPORTED);
    assertThat(row.note()).isEmpty();
  }

  @Test
  void of_subjectBelowANanosecond_isReportedOnly() {
    var row = only(workload("w", TWICE, contender("blitz", 0.9), contender("peer", 0.5)));
    assertThat(row.verdict()).isEqualTo(Verdict.REPORTED);
    assertThat(row.note()).contains("nanosecond");
  }

  @Test
  void of_cleanProfile_isReportedWhilePollutedIsJudged() {
    var blitz = contender("blitz", 5.0);
    var peer = contender("peer", 5.0);
    assertThat(only(workload("w", Profile.CLEAN, TWICE, blitz, peer)).verdict())
        .isEqualTo(Verdict.REPORTED);
    assertThat(only(workload("w", Profile.POLLUTED, TWICE, blitz, peer)).verdict())
        .isEqualTo(Verdict.MISS);
  }

  @Test
  void of_limit_isJudgedByTheSubjectAlone() {
    var targets = List.of(Target.atMost(128));
    assertThat(only(workload("w", targets, contender("blitz", 128.0))).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(only(workload("w", targets, contender("blitz", 129.0))).verdict())
        .isEqualTo(Verdict.MISS);
  }

  @Test
  void of_zeroBytes_isJudgedByAllocation() {
    var targets = List.of(Target.zeroBytes());
    assertThat(only(workload("w", targets, allocating("blitz", 5, 0))).verdict())
        .isEqualTo(Verdict.HOLDS);
    assertThat(only(workload("w", targets, allocating("blitz", 5, 24))).verdict())
        .isEqualTo(Verdict.MISS);
  }

  @Test
  void of_absentPeerOrSubject_isSkippedWithItsReason() {
    var skipped = Map.of("peer", "cargo is not installed");
    var one = result(List.of(contender("blitz", 5.0)), skipped);
    assertThat(only(one).verdict()).isEqualTo(Verdict.SKIPPED);
    assertThat(only(one).note()).isEqualTo("cargo is not installed");

    var none = result(List.of(), Map.of("blitz", "no io_uring"));
    assertThat(only(none).verdict()).isEqualTo(Verdict.SKIPPED);
    assertThat(only(none).note()).isEqualTo("no io_uring");
  }

  private static WorkloadResult result(
      List<ContenderResult> contenders, Map<String, String> skipped) {
    return new WorkloadResult(
        "w", "ns/op", Profile.IN_ORDER, false, "blitz", contenders, skipped, TWICE);
  }

  private static ComparisonRow only(WorkloadResult workload) {
    var rows = ComparisonRow.of(workload);
    assertThat(rows).hasSize(1);
    return rows.getFirst();
  }
}
