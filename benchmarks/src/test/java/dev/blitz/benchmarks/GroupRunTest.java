package dev.blitz.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.benchmarks.harness.WorkloadResult.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GroupRunTest {
  @Test
  void run_cleanAndPolluted_measuresTheWorkloadOnceInEachKindOfJvm() throws Exception {
    var options = Options.parse(List.of("--quick", "--only", "memory", "--gc", "parallel"));
    var result = new GroupRun(HarnessGroup.group().cleanAndPolluted(), options).run();
    assertThat(result.workloads())
        .extracting(w -> w.profile())
        .containsExactly(Profile.POLLUTED, Profile.CLEAN);
    assertThat(result.workloads()).allMatch(w -> w.name().equals("memory of 1 M elements"));
    assertThat(result.environment().gc()).isEqualTo("Parallel");
  }
}
