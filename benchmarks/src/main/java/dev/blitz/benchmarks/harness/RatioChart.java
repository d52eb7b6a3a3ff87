package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A group as bars, a row for each workload that has a goal (for each, if none has): how it compares
 * with its peers, with the quartiles and the target. The axis is logarithmic around 1x: a loss goes
 * as far to the left as an equal win to the right, and has a colour of its own.
 */
final class RatioChart {
  /** More than that nobody reads; the table has all of them. */
  private static final int MOST_PEERS = 3;

  private static final int WIDTH = 900;
  private static final int LEFT = 230;
  private static final int RIGHT = 800;
  private static final int HEAD = 62;
  private static final int LINE = 15;
  private static final int GAP = 9;
  private static final int BAR = 10;

  /** In powers of two: beyond that bars are cut off, and their text tells. */
  private static final int LEAST = -3;

  private static final int MOST = 5;

  /** Told apart by the colour-blind too (of Okabe and Ito's set). */
  private static final String BETTER = "#0072B2";

  private static final String WORSE = "#D55E00";
  private static final String GRID = "#ddd";
  private static final String DARK = "#333";

  private final Svg svg;
  private final int least;
  private final int most;

  private RatioChart(Svg svg, int least, int most) {
    this.svg = svg;
    this.least = least;
    this.most = most;
  }

  /** Empty if the group has no ratio to show. */
  static Optional<String> draw(GroupResult result) {
    Map<String, List<ComparisonRow>> shown = shown(result);
    if (shown.isEmpty()) {
      return Optional.empty();
    }
    List<ComparisonRow> rows = shown.values().stream().flatMap(List::stream).toList();
    int height = HEAD + shown.size() * (LINE + GAP) + rows.size() * LINE + GAP;
    var chart =
        new RatioChart(
            new Svg(WIDTH, height),
            Math.clamp((int) Math.floor(least(rows)), LEAST, -1),
            Math.clamp((int) Math.ceil(most(rows)), 1, MOST));
    chart.head(result, height);
    chart.rows(shown);
    return Optional.of(chart.svg.toString());
  }

  private static double least(List<ComparisonRow> rows) {
    return rows.stream().mapToDouble(r -> log2(ratio(r).lower())).min().orElse(0);
  }

  private static double most(List<ComparisonRow> rows) {
    return rows.stream().mapToDouble(r -> log2(ratio(r).upper())).max().orElse(0);
  }

  /** Of each workload up to three: missed targets first, then other targets. */
  private static Map<String, List<ComparisonRow>> shown(GroupResult result) {
    Map<String, List<ComparisonRow>> shown = new LinkedHashMap<>();
    for (var row : ComparisonRow.of(result)) {
      if (row.ratio() != null) {
        shown.computeIfAbsent(row.workload(), w -> new ArrayList<>()).add(row);
      }
    }
    if (shown.values().stream().anyMatch(RatioChart::isJudged)) {
      shown.values().removeIf(rows -> !isJudged(rows));
    }
    shown.replaceAll((w, rows) -> chosen(rows));
    return shown;
  }

  private static boolean isJudged(List<ComparisonRow> rows) {
    return rows.stream().anyMatch(r -> r.verdict() == Verdict.HOLDS || r.verdict() == Verdict.MISS);
  }

  private static List<ComparisonRow> chosen(List<ComparisonRow> rows) {
    var chosen =
        rows.stream()
            .sorted(
                Comparator.comparing((ComparisonRow r) -> r.verdict() != Verdict.MISS)
                    .thenComparing(r -> r.target().isEmpty()))
            .limit(MOST_PEERS)
            .toList();
    return rows.stream().filter(chosen::contains).toList();
  }

  private void head(GroupResult result, int height) {
    svg.text(GAP, 18, Svg.Anchor.START, "title", result.key() + ": how many times better than");
    svg.rectangle(RIGHT - 210, 13, BAR, BAR, BETTER);
    svg.text(RIGHT - 195, 18, Svg.Anchor.START, "small", "better than the peer");
    svg.rectangle(RIGHT - 80, 13, BAR, BAR, WORSE);
    svg.text(RIGHT - 65, 18, Svg.Anchor.START, "small", "worse");
    for (int power = least; power <= most; power++) {
      double x = x(power);
      svg.line(x, HEAD - 10, x, height - GAP, power == 0 ? DARK : GRID, 1);
      svg.text(x, HEAD - 18, Svg.Anchor.MIDDLE, "small", Numbers.plain(Math.pow(2, power)) + "x");
    }
  }

  private void rows(Map<String, List<ComparisonRow>> shown) {
    double y = HEAD;
    for (var workload : shown.entrySet()) {
      ComparisonRow first = workload.getValue().getFirst();
      svg.text(GAP, y, Svg.Anchor.START, "row", workload.getKey() + "  (" + first.subject() + ")");
      y += LINE;
      for (var row : workload.getValue()) {
        bar(row, y);
        y += LINE;
      }
      y += GAP;
    }
  }

  private void bar(ComparisonRow row, double y) {
    Quartiles ratio = ratio(row);
    double from = x(0);
    double to = x(log2(ratio.median()));
    svg.text(LEFT - GAP, y, Svg.Anchor.END, "peer", row.peer());
    svg.rectangle(
        Math.min(from, to),
        y - BAR / 2.0,
        Math.abs(to - from),
        BAR,
        ratio.median() >= 1 ? BETTER : WORSE);
    double low = x(log2(ratio.lower()));
    double high = x(log2(ratio.upper()));
    svg.line(low, y, high, y, DARK, 1);
    String missed = row.verdict() == Verdict.MISS ? ", goal " + row.target() : "";
    svg.text(
        Math.max(Math.max(high, to), from) + 5,
        y,
        Svg.Anchor.START,
        "value",
        Numbers.plain(ratio.median()) + "x" + missed);
  }

  private double x(double power) {
    double inside = Math.clamp(power, least, most);
    return LEFT + (inside - least) / (most - least) * (RIGHT - LEFT);
  }

  private static Quartiles ratio(ComparisonRow row) {
    return Objects.requireNonNull(row.ratio());
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }
}
