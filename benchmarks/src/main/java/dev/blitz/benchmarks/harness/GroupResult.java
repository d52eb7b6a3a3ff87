package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One run of a group.
 *
 * @param schema version of this format
 * @param group its name
 * @param question what it finds out
 * @param environment where it ran
 * @param plan how long and how often
 * @param workloads in the order of the report
 */
public record GroupResult(
    int schema,
    String group,
    String question,
    Environment environment,
    Plan plan,
    List<WorkloadResult> workloads) {
  /** The version of the format that this code writes and reads. */
  public static final int SCHEMA = 1;

  /** The group, with the collector where it is not the default one: names files and sections. */
  String key() {
    return environment.gc().equals(Gc.G1.label())
        ? group
        : group + "-" + environment.gc().toLowerCase(Locale.ROOT);
  }

  /**
   * This run and another one of the same group, with its workloads after those of this one.
   *
   * @param other a run of the same plan and collector
   * @return both
   */
  public GroupResult plus(GroupResult other) {
    var all = new ArrayList<>(workloads);
    all.addAll(other.workloads);
    return new GroupResult(schema, group, question, environment, plan, List.copyOf(all));
  }

  /** This run with rows measured anew in place of the former ones, further ones at the end. */
  GroupResult with(GroupResult part) {
    var all = new ArrayList<>(workloads);
    for (var row : part.workloads) {
      int place = all.stream().map(WorkloadResult::label).toList().indexOf(row.label());
      if (place < 0) {
        all.add(row);
      } else {
        all.set(place, row);
      }
    }
    return new GroupResult(
        schema, group, part.question, part.environment, part.plan, List.copyOf(all));
  }
}
