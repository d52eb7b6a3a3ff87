package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.task.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock for a handful of instructions that call nothing and never suspend. Not reentrant. What was
 * done under it is seen by whoever holds it next.
 */
final class SpinLock {
  private static final int SPINS_BEFORE_YIELD = 100;

  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused") // through HELD: taken with acquire, given up with release
  private boolean held;

  boolean tryLock() {
    StackRoom.forStep();
    return HELD.compareAndSet(this, false, true);
  }

  void lock() {
    StackRoom.forStep();
    for (int spins = 0; !HELD.compareAndSet(this, false, true); spins++) {
      if (spins < SPINS_BEFORE_YIELD) {
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
