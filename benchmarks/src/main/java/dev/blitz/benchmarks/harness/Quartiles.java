package dev.blitz.benchmarks.harness;

import java.util.List;

/**
 * Median and spread.
 *
 * @param lower quarter of the values lie below
 * @param median half of the values lie below
 * @param upper three quarters of the values lie below
 */
public record Quartiles(double lower, double median, double upper) {
  /**
   * Quartiles by linear interpolation between the two nearest values.
   *
   * @param values at least one, in any order; none is NaN
   * @return their quartiles
   */
  public static Quartiles of(List<Double> values) {
    if (values.isEmpty() || values.stream().anyMatch(v -> v.isNaN())) {
      throw new IllegalArgumentException("no quartiles of " + values);
    }
    double[] sorted = values.stream().mapToDouble(v -> v).sorted().toArray();
    return new Quartiles(at(sorted, 0.25), at(sorted, 0.5), at(sorted, 0.75));
  }

  private static double at(double[] sorted, double fraction) {
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
