package dev.blitz.io.time;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.timer.TimerEntry;
import org.jspecify.annotations.Nullable;

/** A future that is its own timer: armed in the first poll, unlinked on drop. */
/* Implementation notes
 *
 * Protocol: the owner writes `waker`, then reads hasFired(); the wheel marks the entry as fired, then calls
 * fire(), which reads `waker`. Both words are volatile, so either the poll sees the expiry or fire() sees the
 * waker of that poll.
 */
abstract class TimerFuture extends TimerEntry {
  private volatile @Nullable Waker waker;

  /** Where the entry is armed; null before the first poll. Owner only. */
  private @Nullable RuntimeTimers timers;

  final boolean isArmed() {
    return timers != null;
  }

  /** Arms the timer; the owner's first poll. */
  final void arm(RuntimeTimers timers, long deadlineNanos, Context cx) {
    waker = cx.waker();
    this.timers = timers;
    timers.schedule(this, deadlineNanos);
  }

  /** Whether the deadline has passed; if not, the task of {@code cx} will be woken when it does. */
  final boolean pollTimer(Context cx) {
    Waker mine = cx.waker();
    if (waker != mine) {
      waker = mine;
    }
    return hasFired();
  }

  /** Takes the timer back. */
  final void disarm() {
    RuntimeTimers t = timers;
    if (t != null) {
      t.cancel(this);
      waker = null;
    }
  }

  @Override
  protected final void fire() {
    Waker w = waker;
    if (w != null) {
      w.wake();
    }
  }
}
