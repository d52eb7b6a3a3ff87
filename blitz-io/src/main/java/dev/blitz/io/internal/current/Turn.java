package dev.blitz.io.internal.current;

import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** Whether a thread that awaits a future has to poll it: the turn of one who parks and is woken. */
/* Implementation notes
 *
 *   FROM    -> TO      | trigger                          | by
 *   RUNNING -> PARKED  | park: there is nothing for it    | the thread, about to park
 *   any     -> WOKEN   | wake, before the unpark          | the waker
 *   PARKED  -> RUNNING | interrupt, before it is done     | who interrupts
 *   any     -> RUNNING | poll: before it polls again      | the thread
 *
 * Only read-modify-writes, but for the thread's own look. A wake that comes during the poll keeps the thread from
 * parking. A manual clock must not skip time while a thread runs: it is told after the step to PARKED, and by whoever
 * ends that state. So it may count a thread that waits, and never misses one that runs.
 */
public final class Turn {
  private static final int RUNNING = 0;
  private static final int PARKED = 1;
  private static final int WOKEN = 2;

  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  private volatile int state = RUNNING;
  private final @Nullable BusyThreads busy;

  /** Of a thread that counts among {@code busy}, if any. */
  public Turn(@Nullable BusyThreads busy) {
    this.busy = busy;
  }

  /** Whether the thread may park; false if it has been woken. Only for the thread. */
  public boolean park() {
    boolean parked = STATE.compareAndSet(this, RUNNING, PARKED);
    if (parked && busy != null) {
      busy.add(-1);
    }
    return parked;
  }

  /** The thread polls. */
  public void poll() {
    move(RUNNING);
  }

  /** It shall poll; to be unparked afterwards. */
  public void wake() {
    move(WOKEN);
  }

  private void move(int next) {
    if ((int) STATE.getAndSet(this, next) == PARKED && busy != null) {
      busy.add(1);
    }
  }

  /** It will be interrupted. */
  public void interrupt() {
    if (STATE.compareAndSet(this, PARKED, RUNNING) && busy != null) {
      busy.add(1);
    }
  }

  /** Whether it waits, as far as this says. */
  public boolean isParked() {
    return state == PARKED;
  }

  /** Whether it was woken since its last poll. */
  public boolean isWoken() {
    return state == WOKEN;
  }
}
