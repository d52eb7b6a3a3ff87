package dev.blitz.io.internal.driver.readiness;

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
 *
 *   endsEarly | signal, before tick   | owner  | volatile; for good
 */
final class Readiness extends WakerSlot {
  private static final VarHandle TICK = Fields.of(MethodHandles.lookup(), "tick", int.class);

  private final int interest;

  /** {@code interest}: the {@link EventBits} that tell of this side. */
  Readiness(int interest) {
    this.interest = interest;
  }

  int interest() {
    return interest;
  }

  /** Begins at 1, ready: the first call tries its luck. */
  private volatile int tick = 1;

  private int drainedAt;

  /**
   * A short call does not mean drained any more, for good. The peer has ended its side: the event
   * said so together with the last bytes, and no other will follow. Or it has sent an urgent byte,
   * in front of which the kernel ends a read though more follows.
   */
  private volatile boolean endsEarly;

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

  /** Owner: a call that began at {@code tick} moved less than it could. */
  void drainedByShortCall(int tick) {
    if (!endsEarly) {
      drainedAt = tick;
    }
  }

  /** Short calls tell nothing from now on; before the {@link #signal} that tells of it. */
  void endsEarly() {
    endsEarly = true;
  }

  /** An event. */
  void signal() {
    TICK.getAndAdd(this, 1);
    wake();
  }
}
