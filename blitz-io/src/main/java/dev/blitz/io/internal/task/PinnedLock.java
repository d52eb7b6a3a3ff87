package dev.blitz.io.internal.task;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that both workers and virtual threads on those workers take, for a few instructions.
 *
 * <p>A virtual thread that waits for an ordinary lock leaves its worker and keeps its place in the
 * lock's queue. If all workers then came to wait behind it, nobody would be left to run it. Here it
 * keeps its worker while it waits and while it holds the lock.
 */
public class PinnedLock extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  /** Free. */
  public PinnedLock() {}

  @Override
  public final void lock() {
    CarrierAccess.pin();
    super.lock();
  }

  /** Not needed by anyone, and it would have to pin too. */
  @Override
  public final boolean tryLock() {
    throw new UnsupportedOperationException();
  }

  @Override
  public final void unlock() {
    super.unlock();
    if (Thread.currentThread().isVirtual() && CarrierAccess.isOwn()) {
      CarrierAccess.unpin();
    }
  }
}
