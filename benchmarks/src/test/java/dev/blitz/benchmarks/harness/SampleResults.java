package dev.blitz.benchmarks.harness;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Results made by hand. */
final class SampleResults {
  static final Environment ENVIRONMENT =
      new Environment("OpenJDK 25", "G1", 2, "", "Linux", "today");

  private SampleResults() {}

  static GroupResult group(String name, WorkloadResult... workloads) {
    return group(name, ENVIRONMENT, workloads);
  }

  static GroupResult group(String name, Environment where, WorkloadResult... workloads) {
    return new GroupResult(
        GroupResult.SCHEMA, name, "Why " + name + "?", where, Plan.quick(), List.of(workloads));
  }

  static ContenderResult contender(String name, Double... values) {
    var unknown = Collections.nCopies(values.length, Double.NaN);
    return new ContenderResult(name, List.of(values), unknown, unknown);
  }

  static ContenderResult allocating(String name, double value, double bytes) {
    return new ContenderResult(name, List.of(value), List.of(value), List.of(bytes));
  }

  static WorkloadResult workload(String name, List<Target> targets, ContenderResult... contenders) {
    return workload(name, WorkloadResult.Profile.IN_ORDER, targets, contenders);
  }

  static WorkloadResult workload(
      String name,
      WorkloadResult.Profile profile,
      List<Target> targets,
      ContenderResult... contenders) {
    return workload(name, profile, Workload.BLITZ, targets, contenders);
  }

  static WorkloadResult workload(
      String name,
      WorkloadResult.Profile profile,
      String subject,
      List<Target> targets,
      ContenderResult... contenders) {
    return new WorkloadResult(
        name, Workload.NANOS, profile, false, subject, List.of(contenders), Map.of(), targets);
  }
}
