package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table of text, for the console and for Markdown. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    rows.add(List.of(header));
  }

  void row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException("cells: " + Arrays.toString(cells));
    }
    rows.add(List.of(cells));
  }

  /** Whether it has nothing but its head. */
  boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Columns padded to equal width. */
  String toConsole() {
    int[] widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(i == 0 ? "" : " | ").append(row.get(i));
        line.repeat(' ', widths[i] - row.get(i).length());
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  String toMarkdown() {
    var text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append("| ").append(String.join(" | ", escaped(rows.get(i)))).append(" |\n");
      if (i == 0) {
        text.append("|").repeat("---|", rows.getFirst().size()).append('\n');
      }
    }
    return text.toString();
  }

  private static List<String> escaped(List<String> cells) {
    return cells.stream().map(c -> c.replace("|", "\\|")).toList();
  }
}
