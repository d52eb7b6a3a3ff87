package dev.blitz.benchmarks.harness;

import java.util.List;

/**
 * What one contender did, round by round. What was not measured is NaN.
 *
 * @param name of the contender
 * @param values in the workload's unit
 * @param cpuNanos per operation
 * @param bytes per operation
 */
public record ContenderResult(
    String name, List<Double> values, List<Double> cpuNanos, List<Double> bytes) {

  static ContenderResult of(String name, List<Sample> samples) {
    return new ContenderResult(
        name,
        samples.stream().map(Sample::value).toList(),
        samples.stream().map(Sample::cpuNanos).toList(),
        samples.stream().map(Sample::bytes).toList());
  }

  Quartiles quartiles() {
    return Quartiles.of(values);
  }

  /** Median, or NaN if it was not measured in every round. */
  double medianCpuNanos() {
    return medianOrNaN(cpuNanos);
  }

  /** Median, or NaN if it was not measured in every round. */
  double medianBytes() {
    return medianOrNaN(bytes);
  }

  private static double medianOrNaN(List<Double> values) {
    boolean incomplete = values.isEmpty() || values.stream().anyMatch(v -> v.isNaN());
    return incomplete ? Double.NaN : Quartiles.of(values).median();
  }
}
