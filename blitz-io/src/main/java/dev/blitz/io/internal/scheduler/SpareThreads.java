package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.PinnedLock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that have handed over their worker: those that are still inside the call they did it for,
 * and those that wait to be given the worker of another. The former are limited: a hand-over needs
 * a place.
 */
/* Implementation notes
 *
 * `idle` and `closed` are guarded by `lock`. A thread is given a worker only while it is in `idle`, by whoever takes it
 * out; so a thread whose wait has timed out and which is not in `idle` any more knows that a worker is on its way.
 *
 * A place is taken before the hand-over and given back when the thread has left the poll it was in, so there are never more
 * threads than workers and places. Only virtual threads wait for one, off their workers: whoever has a place needs none to
 * go on, and gets a worker, if it needs one, from those who wait.
 */
final class SpareThreads {
  private static final int PLACES_AT_THE_END = Integer.MAX_VALUE / 2;

  private final PinnedLock lock = new PinnedLock();
  private final Deque<WorkerThread> idle = new ArrayDeque<>();
  private final Set<WorkerThread> without = ConcurrentHashMap.newKeySet();
  private final Semaphore places;
  private boolean closed;

  /** {@code limit}: how many calls may go on without a worker at once. */
  SpareThreads(int limit) {
    places = new Semaphore(limit, true);
  }

  // --- Places ---

  /** {@code first}: also if others are waiting for one. */
  boolean tryTakePlace(boolean first) {
    return (first || !places.hasQueuedThreads()) && places.tryAcquire();
  }

  /** Waits for a place; for virtual threads that are not pinned. */
  void takePlace() throws InterruptedException {
    places.acquire();
  }

  void giveBackPlace() {
    places.release();
  }

  // --- Threads ---

  /**
   * {@code thread} has handed over its worker. It stays here until it gets another, or has ended:
   * did it leave by itself as it ends, nobody would join it.
   */
  void addWithoutWorker(WorkerThread thread) {
    without.removeIf(t -> !t.isAlive());
    without.add(thread);
  }

  /** {@code thread} has its worker back. */
  void remove(WorkerThread thread) {
    without.remove(thread);
  }

  /** A thread that waits, taken out to be given a worker; null if none does. */
  @Nullable WorkerThread take() {
    lock.lock();
    try {
      return idle.pollLast(); // the one that has waited least: the others may time out
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a worker; null when none came in time or the runtime has closed. */
  @Nullable Worker await(WorkerThread self) {
    lock.lock();
    try {
      if (closed) {
        return null;
      }
      idle.addLast(self);
    } finally {
      lock.unlock();
    }
    long end = System.nanoTime() + SchedulerTuning.SPARE_KEEP_ALIVE_NANOS;
    for (; ; ) {
      Worker given = self.takeGiven();
      if (given != null) {
        without.remove(self);
        return given;
      }
      long left = end - System.nanoTime();
      if ((left <= 0 || self.isWaitEnded()) && leave(self)) {
        return null;
      }
      LockSupport.parkNanos(this, Math.max(left, 1_000));
      Thread.interrupted(); // nobody may interrupt a worker to any effect
    }
  }

  private boolean leave(WorkerThread self) {
    lock.lock();
    try {
      return idle.remove(self);
    } finally {
      lock.unlock();
    }
  }

  /** Lets those that wait end. */
  void close() {
    lock.lock();
    try {
      closed = true;
      idle.forEach(WorkerThread::endWait);
    } finally {
      lock.unlock();
    }
    places.release(PLACES_AT_THE_END); // nothing is handed over any more: nobody need wait
  }

  /** All that have no worker now, and some that have ended. */
  Set<WorkerThread> withoutWorker() {
    return without;
  }
}
