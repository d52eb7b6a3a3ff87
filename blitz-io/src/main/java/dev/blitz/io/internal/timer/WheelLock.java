package dev.blitz.io.internal.timer;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The lock of one wheel: an int that is set and cleared. Not reentrant, not fair, and a thread that
 * waits for it does not sleep: it is held for a few dozen steps at most, and each worker has a
 * wheel of its own. Nor does a virtual thread leave its carrier: it may have the lock of a queue
 * that workers wait for.
 *
 * <p>The JDK's locks note their holder in a field. Under G1 such a store into an old object costs a
 * full fence and marks a card, which is dearer than all that is done under this lock.
 */
final class WheelLock {
  /*
   * held: 0 -> 1 by compareAndSet of who locks (acquire), 1 -> 0 by the holder (release).
   */
  private static final VarHandle HELD =
      Fields.of(MethodHandles.lookup(), "held", int.class).withInvokeExactBehavior();

  /** How often to look before the processor is given to somebody else, perhaps to the holder. */
  private static final int SPINS = 64;

  @SuppressWarnings("UnusedVariable") // through HELD
  private int held;

  void lock() {
    StackRoom.forStep();
    if (!HELD.compareAndSet(this, 0, 1)) {
      lockSlowly();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but the time this takes
  private void lockSlowly() {
    for (; ; ) {
      for (int i = 0; i < SPINS; i++) {
        if ((int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1)) {
          return;
        }
        Thread.onSpinWait();
      }
      if (!Thread.currentThread().isVirtual()) {
        Thread.yield(); // the holder may need this very processor
      }
    }
  }

  void unlock() {
    HELD.setRelease(this, 0);
  }
}
