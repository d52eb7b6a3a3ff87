package dev.blitz.benchmarks.harness;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * A group as bars: for each workload the ratio to each peer, with its quartiles. The axis is
 * logarithmic around 1x, so that a loss hangs down exactly as far as an equal win stands up.
 */
final class RatioChart {
  private static final int HEIGHT = 480;
  private static final int WIDTH_MARGIN = 320;
  private static final int WIDTH_PER_BAR = 44;
  private static final int MIN_WIDTH = 760;
  private static final int LABEL_ROTATION_DEGREES = 30;
  private static final int MAX_LABEL = 34;

  /** Told apart by the colour-blind too (Okabe and Ito's set, without yellow). */
  private static final Color[] COLORS = {
    new Color(0x0072B2),
    new Color(0xE69F00),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xD55E00),
    new Color(0x56B4E9),
    new Color(0x000000)
  };

  private RatioChart() {}

  /** Writes nothing if the group has no ratio to show. */
  static void write(GroupResult result, Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    Map<String, Map<String, Quartiles>> ratios = byPeerAndWorkload(result);
    if (ratios.isEmpty()) {
      return;
    }
    // Drawn before the file is opened: a failure leaves no empty picture behind.
    var picture = new ByteArrayOutputStream();
    try {
      BitmapEncoder.saveBitmap(chart(result, ratios), picture, BitmapFormat.PNG);
    } catch (LinkageError | InternalError e) {
      throw new IOException("charts need fonts: install fontconfig and freetype (" + e + ")", e);
    }
    Files.write(file, picture.toByteArray());
  }

  private static Map<String, Map<String, Quartiles>> byPeerAndWorkload(GroupResult result) {
    Map<String, Map<String, Quartiles>> ratios = new LinkedHashMap<>();
    for (var row : ComparisonRow.of(result)) {
      var ratio = row.ratio();
      if (ratio != null) {
        ratios.computeIfAbsent(row.peer(), p -> new LinkedHashMap<>()).put(row.workload(), ratio);
      }
    }
    return ratios;
  }

  private static CategoryChart chart(
      GroupResult result, Map<String, Map<String, Quartiles>> ratios) {
    Set<String> workloads = new LinkedHashSet<>();
    ratios.values().forEach(m -> workloads.addAll(m.keySet()));
    List<String> labels = workloads.stream().map(RatioChart::shortened).toList();
    int bars = workloads.size() * ratios.size();
    var chart =
        new CategoryChartBuilder()
            .width(Math.max(MIN_WIDTH, WIDTH_MARGIN + bars * WIDTH_PER_BAR))
            .height(HEIGHT)
            .title(result.key() + ": ratio to each peer, above 1 is better")
            .yAxisTitle("peer / subject")
            .build();
    var styler = chart.getStyler();
    styler.setSeriesColors(COLORS);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setXAxisLabelRotation(LABEL_ROTATION_DEGREES);
    styler.setyAxisTickLabelsFormattingFunction(log -> Numbers.plain(Math.pow(2, log)) + "x");
    ratios.forEach((peer, byWorkload) -> addSeries(chart, peer, labels, workloads, byWorkload));
    return chart;
  }

  private static void addSeries(
      CategoryChart chart,
      String peer,
      List<String> labels,
      Set<String> workloads,
      Map<String, Quartiles> byWorkload) {
    List<Double> medians = new ArrayList<>();
    List<Double> spreads = new ArrayList<>();
    for (var workload : workloads) {
      var ratio = byWorkload.get(workload);
      medians.add(ratio == null ? Double.NaN : log2(ratio.median()));
      // The library draws one length both ways: half the distance between the quartiles.
      spreads.add(ratio == null ? Double.NaN : (log2(ratio.upper()) - log2(ratio.lower())) / 2);
    }
    chart.addSeries(peer, labels, medians, spreads);
  }

  private static double log2(double value) {
    return Math.log(value) / Math.log(2);
  }

  private static String shortened(String label) {
    return label.length() <= MAX_LABEL ? label : label.substring(0, MAX_LABEL - 3) + "...";
  }
}
