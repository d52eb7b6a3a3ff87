package dev.blitz.benchmarks.harness;

/**
 * One contender in one round. What was not measured is NaN.
 *
 * @param value in the workload's unit, lower is better
 * @param cpuNanos CPU time of the whole process per operation
 * @param bytes allocated by all threads per operation
 */
public record Sample(double value, double cpuNanos, double bytes) {
  /**
   * A sample of a value alone.
   *
   * @param value in the workload's unit
   * @return the sample
   */
  public static Sample of(double value) {
    return new Sample(value, Double.NaN, Double.NaN);
  }
}
