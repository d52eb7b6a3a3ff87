package dev.blitz.benchmarks.harness;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What changed between two runs of a group. Ratios are compared, because only they carry over from
 * one run to another; the subject's own values are shown for orientation.
 */
public final class RunComparison {
  private RunComparison() {}

  /**
   * A table of changes.
   *
   * @param before the earlier run
   * @param after the later run
   * @return text for the console
   */
  public static String table(GroupResult before, GroupResult after) {
    var table =
        new TextTable(
            "workload", "peer", "ratio before", "ratio after", "change", "subject before", "after");
    var old = rows(before);
    var young = rows(after);
    old.forEach((key, row) ->
        table.row(
            row.workload(),
            row.peer(),
            ratio(Optional.of(row)),
            ratio(Optional.ofNullable(young.get(key))),
            change(row, Optional.ofNullable(young.get(key))),
            row.subject(),
            Optional.ofNullable(young.get(key)).map(ComparisonRow::subject).orElse("gone")));
    young.forEach((key, row) -> {
      if (!old.containsKey(key)) {
        table.row(
            row.workload(), row.peer(), "", ratio(Optional.of(row)), "new", "", row.subject());
      }
    });
    return table.toConsole();
  }

  private static Map<String, ComparisonRow> rows(GroupResult result) {
    Map<String, ComparisonRow> rows = new LinkedHashMap<>();
    ComparisonRow.of(result).forEach(r -> rows.put(r.workload() + "\n" + r.peer(), r));
    return rows;
  }

  private static String ratio(Optional<ComparisonRow> row) {
    return row.map(ComparisonRow::ratio).map(Numbers::spread).orElse("-");
  }

  /** Percent of the median ratio; in brackets if the quartiles overlap and it may be noise. */
  private static String change(ComparisonRow before, Optional<ComparisonRow> after) {
    var old = before.ratio();
    var young = after.map(ComparisonRow::ratio).orElse(null);
    if (old == null || young == null) {
      return "-";
    }
    String percent =
        String.format(Locale.ROOT, "%+.1f %%", 100 * (young.median() / old.median() - 1));
    boolean overlap = young.lower() <= old.upper() && old.lower() <= young.upper();
    return overlap ? "(" + percent + ")" : percent;
  }
}
