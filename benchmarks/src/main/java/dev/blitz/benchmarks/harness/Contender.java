package dev.blitz.benchmarks.harness;

import java.util.Optional;

/** One of those that a workload compares: the subject or a peer. */
public interface Contender {
  /**
   * The name in tables.
   *
   * @return a short name, unique within the workload
   */
  String name();

  /**
   * Why this contender cannot run here, such as a missing toolchain. It is then skipped with one
   * line that says so.
   *
   * @return the reason, or empty if it can run
   */
  default Optional<String> absence() {
    return Optional.empty();
  }

  /**
   * Whether the contender lives in this JVM and so has to be compiled before it is measured.
   *
   * @return false for a process of its own that warms itself up
   */
  default boolean needsWarmUp() {
    return true;
  }

  /**
   * Measures one slice, with set-up before and tear-down after it.
   *
   * @param workload what is measured
   * @param sliceNanos how long the measured part should take, where that can be chosen
   * @return the measured values per operation
   * @throws Exception if the contender is broken; this ends the run
   */
  Sample sample(Workload workload, long sliceNanos) throws Exception;

  /**
   * A contender whose fixture is run over and over for the length of a slice and timed.
   *
   * @param name the name in tables
   * @param factory sets it up
   * @return the contender
   */
  static Contender timed(String name, Fixture.Factory factory) {
    return new TimedContender(name, factory);
  }

  /**
   * A contender that measures itself: memory, latency, CPU time of a server.
   *
   * @param name the name in tables
   * @param measurement takes one measurement per round
   * @return the contender
   */
  static Contender measured(String name, Measurement measurement) {
    return new MeasuredContender(name, measurement);
  }
}
