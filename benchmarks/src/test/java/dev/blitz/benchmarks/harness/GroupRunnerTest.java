package dev.blitz.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.benchmarks.harness.WorkloadResult.Profile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class GroupRunnerTest {
  private static final Plan TINY = new Plan("tiny", 1, 4, 1);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final GroupRunner runner =
      new GroupRunner(TINY, new Progress(new PrintStream(printed, true, StandardCharsets.UTF_8)));

  @Test
  void run_measuredContenders_takeTurnsInRotatedOrder() throws Exception {
    List<String> calls = new ArrayList<>();
    var workload =
        Workload.named("w")
            .unit("bytes/task")
            .subject(recording("blitz", calls, 10))
            .peer(recording("peer", calls, 30))
            .build();
    var result = runner.run(Group.of("g", "?", workload), w -> true, Profile.IN_ORDER);
    // One warm-up, then rounds 0 to 3.
    assertThat(String.join(" ", calls))
        .isEqualTo("blitz peer blitz peer peer blitz peer blitz blitz peer");
    var row = ComparisonRow.of(result).getFirst();
    assertThat(row.ratio()).isEqualTo(new Quartiles(3, 3, 3));
  }

  @Test
  void run_timedContender_setsUpAndTearsDownAroundEverySlice() throws Exception {
    List<String> events = new ArrayList<>();
    Fixture.Factory factory =
        () -> {
          events.add("up");
          return new Fixture() {
            @Override
            public long run() {
              return events.size();
            }

            @Override
            public void tearDown() {
              events.add("down");
            }
          };
        };
    runner.run(group(Workload.named("w").blitz(factory).build()), w -> true, Profile.IN_ORDER);
    assertThat(String.join(" ", events)).isEqualTo("up down up down up down up down up down");
  }

  @Test
  void run_timedContender_seesTimeCpuAndAllocationPerOperation() throws Exception {
    var escaped = new AtomicReference<byte[]>(new byte[0]);
    // 10 arrays of 100,000 bytes and a header per call of 10 operations.
    Fixture.Factory factory =
        () ->
            () -> {
              long sum = 0;
              for (int i = 0; i < 10; i++) {
                byte[] bytes = new byte[100_000];
                escaped.set(bytes);
                sum += bytes.length;
              }
              return sum;
            };
    var workload = Workload.named("w").operations(10).blitz(factory).build();
    var result = runner.run(group(workload), w -> true, Profile.IN_ORDER);
    var blitz = result.workloads().getFirst().contender("blitz").orElseThrow();
    assertThat(blitz.medianBytes()).isBetween(100_000.0, 101_000.0);
    assertThat(blitz.medianCpuNanos()).isPositive();
    assertThat(blitz.quartiles().median()).isPositive();
  }

  @Test
  void run_absentPeer_isSkippedWithOneLine() throws Exception {
    var rust = new ExternalPeer("Tokio", List.of("./no/such/program"), "mutex");
    var workload = Workload.named("w").blitz(() -> () -> 1).peer(rust, 1).build();
    var result = runner.run(group(workload), w -> true, Profile.IN_ORDER);
    assertThat(ComparisonRow.of(result).getFirst().verdict()).isEqualTo(Verdict.SKIPPED);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("skipped Tokio: program is not installed or not built");
  }

  @Test
  void run_polluted_runsAllOthersBeforeTheSelectedOne() throws Exception {
    List<String> calls = new ArrayList<>();
    var first = Workload.named("first").subject(recording("a", calls, 1)).build();
    var second = Workload.named("second").subject(recording("b", calls, 1)).build();
    var result = runner.run(group(first, second), w -> w.name().equals("first"), Profile.POLLUTED);
    assertThat(String.join(" ", calls)).isEqualTo("a b a a a a a");
    assertThat(result.workloads()).hasSize(1);
  }

  @Test
  void run_valueWithoutRatio_isRefused() {
    var workload = Workload.named("w").subject(Contender.measured("blitz", () -> 0)).build();
    assertThatThrownBy(() -> runner.run(group(workload), w -> true, Profile.IN_ORDER))
        .isInstanceOf(IllegalStateException.class);
  }

  private static Group group(Workload... workloads) {
    return Group.of("g", "?", workloads);
  }

  private static Contender recording(String name, List<String> calls, double value) {
    return Contender.measured(
        name,
        () -> {
          calls.add(name);
          return value;
        });
  }
}
