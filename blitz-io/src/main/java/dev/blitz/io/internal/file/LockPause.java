package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.TimerFuture;

/** The time between two questions for a lock, by the timers of the file's runtime. */
public final class LockPause extends TimerFuture {
  private final RuntimeTimers timers;
  private final long nanos;

  private LockPause(RuntimeTimers timers, long nanos) {
    super(null);
    this.timers = timers;
    this.nanos = nanos;
  }

  /** The {@code count}th one, from 0. */
  static LockPause of(RuntimeTimers timers, int count) {
    int doublings = Math.min(count, Integer.SIZE - 2);
    return new LockPause(
        timers,
        Math.min(FileTuning.FIRST_LOCK_PAUSE_NANOS << doublings, FileTuning.LOCK_PAUSE_NANOS));
  }

  /** Whether it is over; if not, the waker has been kept. */
  public boolean poll(Context cx) {
    if (!isArmed()) {
      armAt(timers, timers.clock().nowNanos() + nanos, cx);
    }
    return pollTimer(cx);
  }

  /** Nobody waits for it. */
  public void drop() {
    discard();
  }

  @Override
  public String toString() {
    return isArmed() ? "asks again " + describeTimeLeft() : "asks again";
  }
}
