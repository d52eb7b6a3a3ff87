package dev.blitz.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A line for each group: what was held and missed, the best and the worst of its ratios. */
final class Summary {
  private static final String BEGIN = "<!-- figures: written by ./blitz bench -->\n";
  private static final String END = "<!-- end of figures -->";

  private Summary() {}

  /** {@code link}: what comes before a group's name in a link to its section. */
  static TextTable table(List<GroupResult> results, String link) {
    var table = new TextTable("group", "held", "missed", "best", "worst");
    for (var result : results) {
      List<ComparisonRow> compared = compared(result);
      var rows = ComparisonRow.of(result);
      table.row(
          "[" + result.key() + "](" + link + result.key() + ")",
          Long.toString(ResultTables.count(rows, Verdict.HOLDS)),
          Long.toString(ResultTables.count(rows, Verdict.MISS)),
          compared.isEmpty() ? "" : text(compared.getLast()),
          compared.isEmpty() ? "" : text(compared.getFirst()));
    }
    return table;
  }

  /** Those with a target, or all if none has; the worst first. Limits are not peers. */
  private static List<ComparisonRow> compared(GroupResult result) {
    List<ComparisonRow> all = new ArrayList<>();
    for (var row : ComparisonRow.of(result)) {
      if (row.ratio() != null && !row.peer().equals(ComparisonRow.LIMIT)) {
        all.add(row);
      }
    }
    List<ComparisonRow> wanted = all.stream().filter(r -> !r.target().isEmpty()).toList();
    return (wanted.isEmpty() ? all : wanted)
        .stream().sorted(Comparator.comparingDouble(Summary::median)).toList();
  }

  private static double median(ComparisonRow row) {
    Quartiles ratio = row.ratio();
    return ratio == null ? 1 : ratio.median();
  }

  private static String text(ComparisonRow row) {
    return "%sx %s: %s".formatted(Numbers.plain(median(row)), row.peer(), row.workload());
  }

  /** Without those whose subject is something else: they tell of the harness, not of Blitz. */
  private static List<GroupResult> ofBlitz(List<GroupResult> results) {
    return results.stream()
        .filter(r -> r.workloads().stream().anyMatch(w -> w.subject().equals(Workload.BLITZ)))
        .toList();
  }

  /** Between its two marks, if the page has them: for readers who know nothing of the harness. */
  static void writeInto(Path page, List<GroupResult> results) throws IOException {
    if (!Files.exists(page)) {
      return;
    }
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      return;
    }
    Files.writeString(
        page,
        text.substring(0, begin + BEGIN.length())
            + table(ofBlitz(results), "docs/performance.md#").toMarkdown()
            + text.substring(end));
  }
}
