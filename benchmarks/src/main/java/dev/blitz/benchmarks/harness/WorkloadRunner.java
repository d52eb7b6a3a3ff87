package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs one workload by a plan: warm-up, then rounds in rotated order. */
final class WorkloadRunner {
  private final Plan plan;
  private final Progress progress;

  WorkloadRunner(Plan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  WorkloadResult run(Workload workload, WorkloadResult.Profile profile) throws Exception {
    Map<String, String> skipped = new LinkedHashMap<>();
    for (var contender : workload.contenders()) {
      contender.absence().ifPresent(reason -> skipped.put(contender.name(), reason));
    }
    skipped.forEach(progress::skipped);
    // Peers alone compare with nothing.
    var present =
        skipped.containsKey(workload.subject().name())
            ? List.<Contender>of()
            : workload.contenders().stream().filter(c -> !skipped.containsKey(c.name())).toList();
    warmUp(workload, present);
    var samples = rounds(workload, present);
    var results = samples.entrySet().stream();
    return new WorkloadResult(
        workload.name(),
        workload.unit(),
        profile,
        workload.reportOnly(),
        workload.subject().name(),
        results.map(e -> ContenderResult.of(e.getKey(), e.getValue())).toList(),
        skipped,
        workload.targets());
  }

  /** In turns, so that shared library code is compiled with everybody's profile. */
  void warmUp(Workload workload, List<Contender> contenders) throws Exception {
    for (int i = 0; i < plan.warmUps(); i++) {
      for (var contender : Rotation.order(contenders, i)) {
        if (contender.needsWarmUp()) {
          contender.sample(workload, plan.sliceNanos());
        }
      }
    }
  }

  private Map<String, List<Sample>> rounds(Workload workload, List<Contender> contenders)
      throws Exception {
    Map<String, List<Sample>> samples = new LinkedHashMap<>();
    contenders.forEach(c -> samples.put(c.name(), new ArrayList<>()));
    for (int round = 0; round < plan.rounds(); round++) {
      for (var contender : Rotation.order(contenders, round)) {
        var sample = contender.sample(workload, plan.sliceNanos());
        if (!(sample.value() > 0)) {
          throw new IllegalStateException(
              "%s of %s measured %s, which has no ratio"
                  .formatted(contender.name(), workload.name(), sample.value()));
        }
        samples.computeIfAbsent(contender.name(), n -> new ArrayList<>()).add(sample);
      }
      progress.round();
    }
    return samples;
  }
}
