package dev.blitz.benchmarks.scheduler;

/**
 * How much one run of each workload does.
 *
 * @param batches of spawn and join, each of {@code batch} tasks
 * @param batch tasks that are spawned before the first is joined
 * @param spawned tasks that one task spawns without joining them
 * @param yielders tasks that yield {@code yields} times each
 * @param yields of each
 * @param roundTrips of ping and pong
 * @param chain tasks of which each spawns the next
 * @param sleepers tasks that one task wakes, {@code fanOuts} times
 * @param fanOuts times
 * @param submitted tasks that threads outside the runtime spawn, all threads together
 */
record SchedulerSizes(
    int batches,
    int batch,
    int spawned,
    int yielders,
    int yields,
    int roundTrips,
    int chain,
    int sleepers,
    int fanOuts,
    int submitted) {

  /** Those that are measured; {@code peers/tokio} has the same. */
  static final SchedulerSizes FULL =
      new SchedulerSizes(1_000, 1_000, 10_000, 1_000, 1_000, 100_000, 100_000, 1_000, 100, 100_000);

  /** Workers of every contender. */
  static final int WORKERS = 2;

  /** Results of tasks stay in the cache of boxed integers. */
  static final int SMALL = 127;

  /** So many tasks that one task spawns. */
  SchedulerSizes spawning(int count) {
    return new SchedulerSizes(
        batches, batch, count, yielders, yields, roundTrips, chain, sleepers, fanOuts, submitted);
  }

  /** As many yields in all, by so few tasks that making them does not show in bytes. */
  SchedulerSizes fewYielders() {
    return new SchedulerSizes(
        batches,
        batch,
        spawned,
        Math.max(1, yielders / 100),
        yields * 100,
        roundTrips,
        chain,
        sleepers,
        fanOuts,
        submitted);
  }
}
