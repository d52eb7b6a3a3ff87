package dev.blitz.benchmarks.harness;

/** A contender's own measurement, in the workload's unit; lower is better. */
@FunctionalInterface
public interface Measurement {
  /**
   * Measures once, set-up and tear-down included.
   *
   * @return the value in the workload's unit
   * @throws Exception if the contender is broken; this ends the run
   */
  double measure() throws Exception;
}
