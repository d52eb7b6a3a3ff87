package dev.blitz.benchmarks.direct;

/**
 * How much one run of each workload does.
 *
 * @param batches of spawn and join, each of {@code batch} threads
 * @param batch threads that are started before the first is joined
 * @param roundTrips of ping and pong
 * @param yielders threads that yield {@code yields} times each
 * @param yields of each
 */
record DirectSizes(int batches, int batch, int roundTrips, int yielders, int yields) {

  /** Those that are measured. */
  static final DirectSizes FULL = new DirectSizes(100, 1_000, 50_000, 1_000, 200);

  /** Workers, or carriers, of every contender. */
  static final int WORKERS = 2;

  int spawned() {
    return batches * batch;
  }
}
