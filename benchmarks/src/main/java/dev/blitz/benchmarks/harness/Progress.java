package dev.blitz.benchmarks.harness;

import static java.util.Locale.ROOT;

import java.io.PrintStream;

/** What is seen while a group runs: a line per workload that grows by a dot per round. */
public final class Progress {
  private final PrintStream out;

  /**
   * Progress on a stream.
   *
   * @param out where to print
   */
  public Progress(PrintStream out) {
    this.out = out;
  }

  void begin(Group group, int index, Workload workload, WorkloadResult.Profile profile) {
    String suffix =
        profile == WorkloadResult.Profile.IN_ORDER ? "" : " " + profile.name().toLowerCase(ROOT);
    out.printf(
        "[%s %d/%d%s] %s ",
        group.name(), index + 1, group.workloads().size(), suffix, workload.name());
    out.flush();
  }

  void round() {
    out.print('.');
    out.flush();
  }

  void skipped(String contender, String reason) {
    out.printf("%n  skipped %s: %s%n  ", contender, reason);
  }

  /** The essence of a finished workload. */
  void end(WorkloadResult result) {
    var medians = new StringBuilder();
    for (var contender : result.contenders()) {
      medians.append(medians.isEmpty() ? " " : ", ").append(contender.name()).append(' ');
      medians.append(Numbers.withUnit(contender.quartiles().median(), result.unit()));
    }
    out.println(medians);
  }
}
