package dev.blitz.io.time;

/** What an {@link Interval} does about ticks that nobody was there to take. */
public enum MissedTicks {
  /** They follow one another at once until the schedule is caught up. The default. */
  BURST,
  /** They are left out; the next tick is the next multiple of the period. */
  SKIP,
  /** The schedule moves: the next tick is one period after the late one was taken. */
  DELAY
}
