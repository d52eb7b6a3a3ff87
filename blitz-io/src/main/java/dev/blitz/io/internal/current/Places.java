package dev.blitz.io.internal.current;

import java.util.concurrent.Semaphore;

/**
 * How many calls of a runtime may block in place: each takes a place before its worker is handed
 * over, and gives it back when its thread has left the poll it was in. So there are never more
 * threads than workers and places.
 */
/* Implementation notes
 *
 * Only virtual threads wait for a place, off their workers: whoever has one needs none to go on, and gets a worker,
 * if it needs one, from those who wait.
 */
public final class Places {
  private static final int AT_THE_END = Integer.MAX_VALUE / 2;

  private final Semaphore free;

  /** So many, none taken. */
  public Places(int count) {
    free = new Semaphore(count, true);
  }

  /** {@code first}: also if others are waiting for one. */
  public boolean tryTake(boolean first) {
    return (first || !free.hasQueuedThreads()) && free.tryAcquire();
  }

  /** Waits for a place; for virtual threads that are not pinned. */
  public void take() throws InterruptedException {
    free.acquire();
  }

  /** One that was taken is free again. */
  public void giveBack() {
    free.release();
  }

  /** Nothing is handed over any more: nobody need wait. */
  public void close() {
    free.release(AT_THE_END);
  }
}
