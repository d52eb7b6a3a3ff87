package dev.blitz.io.internal.base;

import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that both workers and virtual threads take, for a few instructions.
 *
 * <p>Nobody who waits for it has a place in a queue: a virtual thread that had one and has left its
 * carrier would be the next for as long as its scheduler does not run it, and workers behind it
 * would wait for that. Here the lock is for whoever comes while it is free. A virtual thread on our
 * carriers, or on others' if we may pin it, keeps its carrier while it waits and while it holds the
 * lock. One that cannot be pinned yields while it waits; it holds the lock only between two points
 * where it could leave its carrier. So nobody who holds the lock is ever unable to run.
 *
 * <p>The holder has the stack it needs under the lock and to give it back: see {@link StackRoom}.
 * What it waits for under the lock, all wait for: it must not wait.
 */
public class PinnedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** Looks before the processor is given to somebody else, perhaps to the holder. */
  private static final int SPINS = 64;

  /**
   * Yields before the thread sleeps: the holder then has lost its processor, or starts a thread.
   */
  private static final int YIELDS = 16;

  private static final long NAP_NANOS = 20_000;

  /** Free. */
  public PinnedLock() {}

  @Override
  public final void lock() {
    StackRoom.forStep();
    boolean pinned = CarrierAccess.pin();
    if (!super.tryLock()) {
      lockSlowly(pinned);
    }
  }

  private void lockSlowly(boolean pinned) {
    for (int looks = 1; isLocked() || !super.tryLock(); looks++) {
      lockedOut(pinned, looks);
    }
  }

  /**
   * Waits a little for the holder of a lock of this kind.
   *
   * @param pinned what {@link CarrierAccess#pin} said
   * @param looks how often the caller has found it locked
   */
  public static void lockedOut(boolean pinned, int looks) {
    if (looks < SPINS) {
      Thread.onSpinWait();
    } else if (pinned || (looks > SPINS + YIELDS && !Thread.currentThread().isVirtual())) {
      LockSupport.parkNanos(NAP_NANOS);
    } else {
      StackRoom.yieldOrSpin();
    }
  }

  /** As {@link #lock}, but only if nobody has it. */
  @Override
  public final boolean tryLock() {
    StackRoom.forStep();
    CarrierAccess.pin();
    boolean taken = false;
    try {
      taken = super.tryLock();
    } finally {
      if (!taken) {
        CarrierAccess.unpinIfVirtual();
      }
    }
    return taken;
  }

  @Override
  public final void unlock() {
    super.unlock();
    CarrierAccess.unpinIfVirtual();
  }
}
