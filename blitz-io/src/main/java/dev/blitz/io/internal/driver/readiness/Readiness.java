package dev.blitz.io.internal.driver.readiness;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.wait.WakerSlot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Whether a system call on one side of a socket may succeed, and who waits for that. */
/* Implementation notes
 *
 *   field     | writer                | reader | mode
 *   events    | signal, on any worker | owner  | getAndAdd / volatile
 *   drainedAt | owner                 | owner  | plain
 *
 * events counts them. The owner reads it before its call. When the call says that nothing is left, what it knows is
 * as of that count; an event that came since is in the count, so the side still counts as ready. Waiting: the owner
 * stores its waker, then reads the count; an event is counted, then takes the waker. One sees the other.
 *
 *   endsEarly | signal, before events | owner  | volatile; for good
 */
public final class Readiness extends WakerSlot {
  private static final VarHandle EVENTS = Fields.of(MethodHandles.lookup(), "events", int.class);

  private final int interest;

  /** {@code interest}: the {@link EventBits} that tell of this side. */
  public Readiness(int interest) {
    this.interest = interest;
  }

  /** What it was made with. */
  public int interest() {
    return interest;
  }

  /** Begins at 1, ready: the first call tries its luck. */
  private volatile int events = 1;

  private int drainedAt;

  /**
   * A short call does not mean drained any more, for good. The peer has ended its side: the event
   * said so together with the last bytes, and no other will follow. Or it has sent an urgent byte,
   * in front of which the kernel ends a read though more follows.
   */
  private volatile boolean endsEarly;

  /** Owner: how many there were; what to pass to {@link #drained}. */
  public int events() {
    return events;
  }

  /** Owner: whether a call makes sense, seen after {@code events}. */
  public boolean isReady(int events) {
    return events != drainedAt;
  }

  /** Owner: a call that began after {@code events} found nothing, or less than it could take. */
  public void drained(int events) {
    drainedAt = events;
  }

  /** Owner: a call that began after {@code events} moved less than it could. */
  public void drainedByShortCall(int events) {
    if (!endsEarly) {
      drainedAt = events;
    }
  }

  /** Short calls tell nothing from now on; before the {@link #signal} that tells of it. */
  public void endsEarly() {
    endsEarly = true;
  }

  /** An event. */
  public void signal() {
    EVENTS.getAndAdd(this, 1);
    wake();
  }
}
