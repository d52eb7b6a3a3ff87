package dev.blitz.benchmarks.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A group as curves: workloads that differ in a size alone, "time of a thing: 1,000", are points of
 * one curve for each contender. Both axes are logarithmic: what grows as the size does rises by as
 * much as it goes to the right.
 */
final class CurveChart {
  private static final Pattern POINT = Pattern.compile("(.*): ([0-9,]+)");

  private static final int WIDTH = 900;
  private static final int PANEL_WIDTH = 450;
  private static final int PANEL_HEIGHT = 250;
  private static final int HEAD = 34;
  private static final int LEFT = 62;
  private static final int RIGHT = 130;
  private static final int TOP = 28;
  private static final int BOTTOM = 34;
  private static final int LABEL = 13;

  private static final String GRID = "#ddd";
  private static final String[] COLORS = {"#0072B2", "#E69F00", "#009E73", "#CC79A7"};

  private record Point(double size, double value) {}

  /** Of all contenders by name. */
  private record Panel(String name, String unit, Map<String, List<Point>> curves) {
    double[] sizes() {
      return points().mapToDouble(Point::size).distinct().sorted().toArray();
    }

    double least() {
      return points().mapToDouble(Point::value).min().orElse(1);
    }

    double most() {
      return points().mapToDouble(Point::value).max().orElse(1);
    }

    private Stream<Point> points() {
      return curves.values().stream().flatMap(List::stream);
    }
  }

  private CurveChart() {}

  /** Empty if not all workloads are points of curves. */
  static Optional<String> draw(GroupResult result) {
    Map<String, Panel> panels = new LinkedHashMap<>();
    for (var workload : result.workloads()) {
      Matcher matcher = POINT.matcher(workload.name());
      if (!matcher.matches()) {
        return Optional.empty();
      }
      double size = Double.parseDouble(matcher.group(2).replace(",", ""));
      Panel panel =
          panels.computeIfAbsent(
              matcher.group(1), name -> new Panel(name, workload.unit(), new LinkedHashMap<>()));
      for (var contender : workload.contenders()) {
        panel
            .curves()
            .computeIfAbsent(contender.name(), c -> new ArrayList<>())
            .add(new Point(size, contender.quartiles().median()));
      }
    }
    if (panels.isEmpty()) {
      return Optional.empty();
    }
    int lines = (panels.size() + 1) / 2;
    var svg = new Svg(WIDTH, HEAD + lines * PANEL_HEIGHT);
    svg.text(9, 18, Svg.Anchor.START, "title", result.key() + ": what one costs, of how many");
    int i = 0;
    for (var panel : panels.values()) {
      draw(svg, panel, i % 2 * PANEL_WIDTH, HEAD + i / 2 * PANEL_HEIGHT);
      i++;
    }
    return Optional.of(svg.toString());
  }

  private static void draw(Svg svg, Panel panel, int left, int top) {
    double[] sizes = panel.sizes();
    double leastSize = Math.log(sizes[0]);
    double mostSize = Math.max(Math.log(sizes[sizes.length - 1]), leastSize + 1);
    // At least a decade, so that what does not change looks like it.
    int leastPower = (int) Math.floor(Math.log10(panel.least()));
    int mostPower = Math.max(leastPower + 1, (int) Math.ceil(Math.log10(panel.most())));
    int fromX = left + LEFT;
    int toX = left + PANEL_WIDTH - RIGHT;
    int fromY = top + PANEL_HEIGHT - BOTTOM;
    int toY = top + TOP;
    svg.text(fromX, top + 10, Svg.Anchor.START, "row", panel.name() + ", " + panel.unit());
    for (int power = leastPower; power <= mostPower; power++) {
      double y = at(power, leastPower, mostPower, fromY, toY);
      svg.line(fromX, y, toX, y, GRID, 1);
      svg.text(fromX - 5, y, Svg.Anchor.END, "small", Numbers.plain(Math.pow(10, power)));
    }
    for (double size : sizes) {
      double x = at(Math.log(size), leastSize, mostSize, fromX, toX);
      svg.line(x, fromY, x, fromY + 3, GRID, 1);
      svg.text(x, fromY + 12, Svg.Anchor.MIDDLE, "small", Numbers.shortCount((long) size));
    }
    double free = Double.MAX_VALUE;
    List<Map.Entry<String, List<Point>>> lowestFirst = new ArrayList<>(panel.curves().entrySet());
    lowestFirst.sort((a, b) -> Double.compare(last(a).value(), last(b).value()));
    List<String> names = List.copyOf(panel.curves().keySet());
    for (var curve : lowestFirst) {
      String color = COLORS[names.indexOf(curve.getKey()) % COLORS.length];
      double x = 0;
      double y = 0;
      for (var point : curve.getValue()) {
        double nextX = at(Math.log(point.size()), leastSize, mostSize, fromX, toX);
        double nextY = at(Math.log10(point.value()), leastPower, mostPower, fromY, toY);
        if (x != 0) {
          svg.line(x, y, nextX, nextY, color, 2);
        }
        x = nextX;
        y = nextY;
        svg.dot(x, y, color);
      }
      free = Math.min(y, free - LABEL); // labels do not cover each other
      svg.dot(toX + 10, free, color);
      svg.text(
          toX + 16,
          free,
          Svg.Anchor.START,
          "small",
          curve.getKey() + " " + Numbers.plain(last(curve).value()));
    }
  }

  private static Point last(Map.Entry<String, List<Point>> curve) {
    return curve.getValue().getLast();
  }

  private static double at(double value, double least, double most, double from, double to) {
    return from + (value - least) / (most - least) * (to - from);
  }
}
