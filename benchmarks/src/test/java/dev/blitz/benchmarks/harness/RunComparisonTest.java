package dev.blitz.benchmarks.harness;

import static dev.blitz.benchmarks.harness.SampleResults.contender;
import static dev.blitz.benchmarks.harness.SampleResults.group;
import static dev.blitz.benchmarks.harness.SampleResults.workload;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RunComparisonTest {
  @Test
  void table_showsChangeOfTheRatioEvenIfTheMachineWasSlower() {
    var before = group("g", row("w", 10.0, 10.0));
    var after = group("g", row("w", 20.0, 40.0));
    assertThat(RunComparison.table(before, after)).contains("+100.0 %").contains("20.0 ns/op");
  }

  @Test
  void table_changeWithinBothSpreads_isBracketed() {
    var peer = contender("peer", 10.0, 10.0, 10.0);
    var before = workload("w", List.of(), contender("blitz", 8.0, 10.0, 12.0), peer);
    var after = workload("w", List.of(), contender("blitz", 8.0, 9.5, 12.0), peer);
    assertThat(RunComparison.table(group("g", before), group("g", after))).contains("(+5.3 %)");
  }

  @Test
  void table_namesWhatCameAndWent() {
    var text =
        RunComparison.table(group("g", row("old", 1.0, 1.0)), group("g", row("young", 1, 1)));
    assertThat(text.lines().filter(l -> l.startsWith("old"))).first().asString().contains("gone");
    assertThat(text.lines().filter(l -> l.startsWith("young"))).first().asString().contains("new");
  }

  private static WorkloadResult row(String name, double blitz, double peer) {
    return workload(name, List.of(), contender("blitz", blitz), contender("peer", peer));
  }
}
