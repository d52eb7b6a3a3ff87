package dev.blitz.io.observe;

import java.util.List;

/**
 * Counters of a runtime since it was made. Taken while it runs, so they belong to slightly
 * different moments.
 *
 * @param spawned tasks spawned
 * @param live tasks that have not ended
 * @param timers timers that are armed
 * @param searching workers that are looking for work
 * @param parked workers that sleep, or were never needed
 * @param workers the counters of each worker
 * @param blocking the blocking pool
 */
public record RuntimeStats(
    long spawned,
    long live,
    int timers,
    int searching,
    int parked,
    List<Worker> workers,
    Blocking blocking) {

  /**
   * One worker.
   *
   * @param index its number
   * @param polled polls made
   * @param stolen tasks taken from other workers
   * @param parked times it went to sleep
   * @param lifoHits tasks taken from its LIFO slot
   * @param injectFetches batches taken from the inject queue
   * @param overflows times its ring was full
   * @param forcedYields polls that used up their budget of operations
   * @param spinsPaid spins that found work
   * @param spinsWasted spins that did not
   */
  public record Worker(
      int index,
      long polled,
      long stolen,
      long parked,
      long lifoHits,
      long injectFetches,
      long overflows,
      long forcedYields,
      long spinsPaid,
      long spinsWasted) {}

  /**
   * The blocking pool.
   *
   * @param submitted tasks ever submitted
   * @param threads threads that exist
   * @param idle threads that wait for a task
   * @param queued tasks that wait for a thread
   */
  public record Blocking(long submitted, int threads, int idle, int queued) {}

  /** Polls of all workers. */
  public long polled() {
    return workers.stream().mapToLong(Worker::polled).sum();
  }

  /** Tasks that changed workers. */
  public long stolen() {
    return workers.stream().mapToLong(Worker::stolen).sum();
  }

  /** Times that workers went to sleep. */
  public long timesParked() {
    return workers.stream().mapToLong(Worker::parked).sum();
  }
}
