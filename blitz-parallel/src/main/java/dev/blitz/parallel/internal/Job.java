package dev.blitz.parallel.internal;

import org.jspecify.annotations.Nullable;

/** Something a worker can run. */
public interface Job {
  /**
   * Runs to completion and reports failure to whoever waits; never throws.
   *
   * @param worker the current thread
   */
  void execute(WorkerThread worker);

  /**
   * What cannot be set before this job has ended. A worker that waits for that latch, or for one
   * that it is within, may run the job meanwhile.
   *
   * @return the latch; null for a job that only a worker without obligations may take
   */
  default @Nullable Latch within() {
    return null;
  }
}
