package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Whether a system call on one side of a socket may succeed, and who waits for that. */
/* Implementation notes
 *
 *   field     | writer                | reader | mode
 *   tick      | signal, on any worker | owner  | getAndAdd / volatile
 *   drainedAt | owner                 | owner  | plain
 *
 * The owner reads tick before its call. When the call says that nothing is left, what it knows is as of that
 * tick; an event that came since has moved tick on, so the side still counts as ready. Waiting: the owner stores
 * its waker, then reads tick; an event moves tick, then takes the waker. One sees the other.
 */
final class Readiness extends WakerSlot {
  private static final VarHandle TICK = Fields.of(MethodHandles.lookup(), "tick", int.class);

  /** Begins at 1, ready: the first call tries its luck. */
  private volatile int tick = 1;

  private int drainedAt;

  /** Owner: what to pass to {@link #drained}. */
  int tick() {
    return tick;
  }

  /** Owner: whether a call makes sense, seen at {@code tick}. */
  boolean isReady(int tick) {
    return tick != drainedAt;
  }

  /** Owner: a call that began at {@code tick} found nothing, or less than it could take. */
  void drained(int tick) {
    drainedAt = tick;
  }

  /** An event. */
  void signal() {
    TICK.getAndAdd(this, 1);
    wake();
  }
}
