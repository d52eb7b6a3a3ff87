package dev.blitz.benchmarks.harness;

/** A contender that is run again and again until its slice is over. */
record TimedContender(String name, Fixture.Factory factory) implements Contender {
  /** The part of a slice that runs unmeasured first: refills caches, starts lazily made threads. */
  private static final int SETTLING_DIVISOR = 8;

  /** The clock is read about this often per slice, so that reading it costs nothing. */
  private static final int CLOCK_READS = 100;

  @Override
  public Sample sample(Workload workload, long sliceNanos) throws Exception {
    var fixture = factory.setUp();
    try {
      // Garbage of whoever ran before must not be collected at this contender's cost.
      System.gc();
      long batch = settle(fixture, sliceNanos);
      return measure(fixture, batch, sliceNanos, workload.operations());
    } finally {
      fixture.tearDown();
    }
  }

  /** Runs for a part of the slice and returns how many calls should lie between clock reads. */
  private static long settle(Fixture fixture, long sliceNanos) throws Exception {
    long calls = 0;
    long checksum = 0;
    long start = System.nanoTime();
    long elapsed;
    do {
      checksum += fixture.run();
      calls++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < sliceNanos / SETTLING_DIVISOR);
    Sink.consume(checksum);
    long nanosPerCall = Math.max(1, elapsed / calls);
    return Math.max(1, sliceNanos / CLOCK_READS / nanosPerCall);
  }

  private static Sample measure(Fixture fixture, long batch, long sliceNanos, long operations)
      throws Exception {
    long calls = 0;
    long checksum = 0;
    var before = ProcessUsage.now();
    long start = System.nanoTime();
    long elapsed;
    do {
      for (long i = 0; i < batch; i++) {
        checksum += fixture.run();
      }
      calls += batch;
      elapsed = System.nanoTime() - start;
    } while (elapsed < sliceNanos);
    var used = ProcessUsage.now().minus(before);
    Sink.consume(checksum);
    double total = (double) calls * operations;
    return new Sample(elapsed / total, used.cpuNanos() / total, used.allocatedBytes() / total);
  }
}
