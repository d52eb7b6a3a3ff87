package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Runs the workloads of a group in this JVM. */
public final class GroupRunner {
  private final Plan plan;
  private final Progress progress;

  /**
   * A runner.
   *
   * @param plan how long and how often
   * @param progress what is seen meanwhile
   */
  public GroupRunner(Plan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Measures those workloads that are selected.
   *
   * @param group the group
   * @param selected which of its workloads are measured
   * @param profile if polluted, all workloads of the group are run before any is measured
   * @return the result
   * @throws Exception if a contender is broken
   */
  public GroupResult run(Group group, Predicate<Workload> selected, WorkloadResult.Profile profile)
      throws Exception {
    var runner = new WorkloadRunner(plan, progress);
    if (profile == WorkloadResult.Profile.POLLUTED) {
      for (var workload : group.workloads()) {
        var present = workload.contenders().stream().filter(c -> c.absence().isEmpty()).toList();
        runner.warmUp(workload, present);
      }
    }
    List<WorkloadResult> results = new ArrayList<>();
    for (int i = 0; i < group.workloads().size(); i++) {
      var workload = group.workloads().get(i);
      if (selected.test(workload)) {
        progress.begin(group, i, workload, profile);
        var result = runner.run(workload, profile);
        progress.end(result);
        results.add(result);
      }
    }
    return new GroupResult(
        GroupResult.SCHEMA,
        group.name(),
        group.question(),
        Environment.current(),
        plan,
        List.copyOf(results));
  }
}
