package dev.blitz.benchmarks.harness;

import java.util.List;

/**
 * The tables of a group: subject beside each peer, what was missed, everything that was measured.
 */
final class ResultTables {
  private ResultTables() {}

  /** {@code workload | blitz | peer | ratio | target | verdict}. */
  static TextTable comparison(GroupResult result) {
    var table =
        new TextTable("workload", subjectName(result), "peer", "ratio", "target", "verdict");
    for (var row : ComparisonRow.of(result)) {
      table.row(row.workload(), row.subject(), peer(row), ratio(row), row.target(), verdict(row));
    }
    return table;
  }

  /** {@code missed | blitz | peer | ratio | target}. */
  static TextTable missed(GroupResult result) {
    var table = new TextTable("missed", subjectName(result), "peer", "ratio", "target");
    for (var row : ComparisonRow.of(result)) {
      if (row.verdict() == Verdict.MISS) {
        table.row(row.workload(), row.subject(), peer(row), ratio(row), row.target());
      }
    }
    return table;
  }

  private static String peer(ComparisonRow row) {
    return (row.peer() + " " + row.peerValue()).strip();
  }

  private static String ratio(ComparisonRow row) {
    var ratio = row.ratio();
    return ratio == null ? "" : Numbers.spread(ratio);
  }

  /** Every contender with its spread, CPU time and allocation. */
  static TextTable contenders(GroupResult result) {
    var table =
        new TextTable(
            "workload", "contender", "unit", "median", "quartiles", "CPU ns/op", "bytes/op");
    for (var workload : result.workloads()) {
      for (var contender : workload.contenders()) {
        var q = contender.quartiles();
        table.row(
            workload.label(),
            contender.name(),
            workload.unit(),
            Numbers.plain(q.median()),
            Numbers.plain(q.lower()) + ".." + Numbers.plain(q.upper()),
            Numbers.plain(contender.medianCpuNanos()),
            Numbers.plain(contender.medianBytes()));
      }
    }
    return table;
  }

  /** One line that does not hide what was missed. */
  static String summary(GroupResult result) {
    var rows = ComparisonRow.of(result);
    return "%d held, %d missed, %d only reported, %d skipped"
        .formatted(
            count(rows, Verdict.HOLDS),
            count(rows, Verdict.MISS),
            count(rows, Verdict.REPORTED),
            count(rows, Verdict.SKIPPED));
  }

  static long count(List<ComparisonRow> rows, Verdict verdict) {
    return rows.stream().filter(r -> r.verdict() == verdict).count();
  }

  private static String verdict(ComparisonRow row) {
    return switch (row.verdict()) {
      case HOLDS -> "holds";
      case MISS -> "MISS";
      case REPORTED -> row.note().isEmpty() ? "-" : row.note();
      case SKIPPED -> "skipped: " + row.note();
    };
  }

  private static String subjectName(GroupResult result) {
    var names = result.workloads().stream().map(WorkloadResult::subject).distinct().toList();
    return names.size() == 1 ? names.getFirst() : "subject";
  }
}
