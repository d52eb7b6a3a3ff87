package dev.blitz.io.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a few dozen steps at most, that never suspend and call nothing foreign. Not reentrant,
 * not fair. What was done under it is seen by whoever holds it next.
 *
 * <p>A virtual thread that waits keeps its carrier: it may hold another lock that the carrier, a
 * worker, needs, and if it gave the worker up, a task there that waits for that lock would keep it
 * from ever coming back. It need not give way either: no virtual thread can be unmounted while it
 * holds the lock, so the holder runs, or gets its processor back by the system's own fairness.
 *
 * <p>The JDK's locks note their holder in a field. Under G1 such a store into an old object costs a
 * full fence and marks a card, which is dearer than all that is done under this lock.
 */
/* Implementation notes
 *
 * held: 0 -> 1 by compareAndSet of who locks (acquire), 1 -> 0 by the holder (release).
 */
public final class SpinLock {
  private static final VarHandle HELD =
      Fields.of(MethodHandles.lookup(), "held", int.class).withInvokeExactBehavior();

  /** All ones. How often to look before the processor is given to another, perhaps the holder. */
  private static final int SPINS = 63;

  @SuppressWarnings("UnusedVariable") // through HELD
  private int held;

  public boolean tryLock() {
    StackRoom.forStep();
    return HELD.compareAndSet(this, 0, 1);
  }

  public void lock() {
    StackRoom.forStep();
    if (!HELD.compareAndSet(this, 0, 1)) {
      lockSlowly();
    }
  }

  private void lockSlowly() {
    for (int looks = 1; isLocked() || !HELD.compareAndSet(this, 0, 1); looks++) {
      if ((looks & SPINS) == 0 && !Thread.currentThread().isVirtual()) {
        StackRoom.yieldOrSpin();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  public void unlock() {
    HELD.setRelease(this, 0);
  }

  public boolean isLocked() {
    return (int) HELD.getAcquire(this) != 0;
  }
}
