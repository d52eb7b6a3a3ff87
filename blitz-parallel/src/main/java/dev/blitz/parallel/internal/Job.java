package dev.blitz.parallel.internal;

/** Something a worker can run. */
public interface Job {
  /**
   * Runs to completion and reports failure to whoever waits; never throws.
   *
   * @param worker the current thread
   */
  void execute(WorkerThread worker);
}
