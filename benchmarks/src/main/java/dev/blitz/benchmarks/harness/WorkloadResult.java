package dev.blitz.benchmarks.harness;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One workload as measured: raw values, from which everything else is computed.
 *
 * @param name of the workload
 * @param unit of the values
 * @param profile what the JVM had run before
 * @param reportOnly whether targets are left unjudged
 * @param subject the name of the subject
 * @param contenders those that ran, subject first
 * @param skipped those that did not, each with its reason
 * @param targets what the subject should reach
 */
public record WorkloadResult(
    String name,
    String unit,
    Profile profile,
    boolean reportOnly,
    String subject,
    List<ContenderResult> contenders,
    Map<String, String> skipped,
    List<Target> targets) {
  /** What the JVM had run before the workload was measured. */
  public enum Profile {
    /** The workloads before it in the group. */
    IN_ORDER,
    /** Nothing. */
    CLEAN,
    /** All workloads of the group. */
    POLLUTED
  }

  Optional<ContenderResult> contender(String wanted) {
    return contenders.stream().filter(c -> c.name().equals(wanted)).findFirst();
  }

  /** The name, and the profile where it tells two rows apart. */
  String label() {
    return switch (profile) {
      case IN_ORDER -> name;
      case CLEAN -> name + " (clean)";
      case POLLUTED -> name + " (polluted)";
    };
  }
}
