package dev.blitz.io.internal.scheduler;

/**
 * Decides from the overseer's looks which workers are stuck and which are hogged by one poll. Only
 * for the overseer's thread.
 *
 * <p>Stuck means: awake, and no poll has begun since the look before. That is enough to let another
 * worker help out, which is cheap if it proves unnecessary. Hogged means that the worker was seen
 * inside one and the same poll for as long as the threshold. Only what was seen counts: a look that
 * comes late (the whole machine stood still, for a garbage collection or because it was suspended)
 * adds no more than a look that comes in time.
 */
final class StallDetector {
  enum Finding {
    MOVING,
    STUCK,
    /** Once for each poll. */
    HOGGED
  }

  private final long stallNanos;
  private final long[] lastPolled;
  private final long[] seenNanos;
  private final boolean[] told;
  private long lookNanos;
  private long stepNanos;

  /** {@code stallNanos}: how long a poll may take before it is HOGGED; MAX_VALUE for never. */
  StallDetector(int workers, long stallNanos) {
    this.stallNanos = stallNanos;
    lastPolled = new long[workers];
    seenNanos = new long[workers];
    told = new boolean[workers];
  }

  /** A look at all workers begins. */
  void beginLook(long nowNanos) {
    stepNanos = Math.clamp(nowNanos - lookNanos, 0, SchedulerTuning.OVERSEER_STEP_NANOS);
    lookNanos = nowNanos;
  }

  /** Notes what the next look is compared with. */
  void reset(int worker, long polled) {
    lastPolled[worker] = polled;
    seenNanos[worker] = 0;
    told[worker] = false;
  }

  /**
   * What one look at one worker says.
   *
   * @param polled how many polls it has begun
   * @param inPoll whether it is inside one
   */
  Finding see(int worker, long polled, boolean parked, boolean inPoll) {
    if (parked || polled != lastPolled[worker]) {
      reset(worker, polled);
      return Finding.MOVING;
    }
    if (!inPoll) {
      return Finding.STUCK; // it was woken and has not come to run, or has not come to sleep
    }
    seenNanos[worker] += stepNanos;
    if (seenNanos[worker] < stallNanos || told[worker]) {
      return Finding.STUCK;
    }
    told[worker] = true;
    return Finding.HOGGED;
  }

  /** How long the worker has been seen inside its poll, at least. */
  long seenNanos(int worker) {
    return seenNanos[worker];
  }
}
