package dev.blitz.benchmarks.harness;

/** A contender whose value comes from its own measurement. */
record MeasuredContender(String name, Measurement measurement) implements Contender {
  @Override
  public Sample sample(Workload workload, long sliceNanos) throws Exception {
    return Sample.of(measurement.measure());
  }
}
