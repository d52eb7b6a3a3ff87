package dev.blitz.benchmarks.sync;

/**
 * How much one run of each workload does.
 *
 * @param pairs of take and give back, without contention
 * @param lockers tasks that lock one mutex {@code locks} times each
 * @param locks of each
 * @param readers tasks that read under one lock {@code accesses} times each
 * @param writers tasks that write under it
 * @param accesses of each
 * @param acquirers tasks that acquire one permit {@code acquires} times each
 * @param acquires of each
 */
record SyncSizes(
    int pairs,
    int lockers,
    int locks,
    int readers,
    int writers,
    int accesses,
    int acquirers,
    int acquires) {

  /** Those that are measured; {@code peers/tokio} has the same. */
  static final SyncSizes FULL = new SyncSizes(100_000, 4, 2_500, 4, 2, 1_666, 8, 1_250);

  /** Workers of every contender, under contention. */
  static final int WORKERS = 4;

  /** Permits of the semaphore without contention. */
  static final int PERMITS = 10;

  /** Permits that the acquirers share. */
  static final int FEW_PERMITS = 2;

  int lockings() {
    return lockers * locks;
  }

  int readWrites() {
    return (readers + writers) * accesses;
  }

  int acquirings() {
    return acquirers * acquires;
  }
}
