package dev.blitz.io.internal.scheduler;

/** What the scheduler must do at certain times: the timers. */
public interface TimedEvents {

  /** When the next event is due, in nanoseconds of the runtime's clock; MAX_VALUE when none is. */
  long nextDeadlineNanos();

  /**
   * Wakes the tasks of all events that are due at {@code nowNanos}. Called by one worker at a time
   * or more.
   */
  void fireDue(long nowNanos);

  /** No events, ever. */
  TimedEvents NONE =
      new TimedEvents() {
        @Override
        public long nextDeadlineNanos() {
          return Long.MAX_VALUE;
        }

        @Override
        public void fireDue(long nowNanos) {}
      };
}
