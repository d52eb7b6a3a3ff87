package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a handful of instructions that never suspend. Not reentrant. What was done under it is
 * seen by whoever holds it next.
 *
 * <p>A virtual thread that waits keeps its carrier: it may hold another lock that the carrier, a
 * worker, needs, and if it gave the worker up, a task there that waits for that lock would keep it
 * from ever coming back. It need not give way either: no virtual thread can be unmounted while it
 * holds the lock, so the holder runs, or gets its processor back by the system's own fairness.
 */
final class SpinLock {
  /** All ones: a yield after so many looks. */
  private static final int SPINS_BEFORE_YIELD = 63;

  private static final VarHandle HELD = Fields.of(MethodHandles.lookup(), "held", boolean.class);

  @SuppressWarnings("unused") // through HELD: taken with acquire, given up with release
  private boolean held;

  boolean tryLock() {
    StackRoom.forStep();
    return HELD.compareAndSet(this, false, true);
  }

  void lock() {
    StackRoom.forStep();
    for (int spins = 0; !HELD.compareAndSet(this, false, true); spins++) {
      if ((spins & SPINS_BEFORE_YIELD) != SPINS_BEFORE_YIELD
          || Thread.currentThread().isVirtual()) {
        Thread.onSpinWait();
      } else {
        StackRoom.yieldOrSpin(); // the holder may have lost its processor
      }
    }
  }

  void unlock() {
    HELD.setRelease(this, false);
  }

  boolean isLocked() {
    return (boolean) HELD.getAcquire(this);
  }
}
