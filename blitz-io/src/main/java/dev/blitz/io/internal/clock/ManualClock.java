package dev.blitz.io.internal.clock;

import dev.blitz.io.policy.TimeSource;

/**
 * A clock that moves only when somebody moves it. A runtime on such a clock does not sleep until a
 * deadline: it says when it is idle, and is told of each move.
 */
public interface ManualClock extends TimeSource {

  /**
   * Asks the clock to move on, because the runtime has nothing to do before {@code deadlineNanos},
   * or, if that is {@link Long#MAX_VALUE}, until something comes from outside.
   *
   * @return whether the clock now reads that or later
   */
  boolean skipTo(long deadlineNanos);

  /** Calls {@code listener} after each move. A runtime listens until it is closed. */
  void addListener(Runnable listener);

  /** Forgets a listener. */
  void removeListener(Runnable listener);
}
