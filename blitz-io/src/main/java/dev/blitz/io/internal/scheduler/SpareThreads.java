package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.base.PinnedLock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that have handed over their worker: those that are still inside the call they did it for,
 * and those that wait to be given the worker of another. The former are limited: a hand-over needs
 * one of the {@link dev.blitz.io.internal.current.Places}.
 */
/* Implementation notes
 *
 * `idle`, its links and `closed` are guarded by `lock`. A thread is given a worker only while it is in `idle`, by
 * whoever takes it out; so a thread whose wait has timed out and which is not in `idle` any more knows that a worker is
 * on its way.
 */
final class SpareThreads {
  private final PinnedLock lock = new PinnedLock();

  /** The one that has waited least, linked to the others: to wait must take no memory. */
  private @Nullable WorkerThread idle;

  private final Set<WorkerThread> without = ConcurrentHashMap.newKeySet();
  private final Machine machine;
  private boolean closed;

  SpareThreads(Machine machine) {
    this.machine = machine;
  }

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
      WorkerThread newest = idle; // the others may time out
      if (newest != null) {
        idle = newest.idleBefore;
        newest.idleBefore = null;
      }
      return newest;
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
      self.idleBefore = idle;
      idle = self;
    } finally {
      lock.unlock();
    }
    long end = machine.nanoTime() + SchedulerTuning.SPARE_KEEP_ALIVE_NANOS;
    for (; ; ) {
      Worker given = self.takeGiven();
      if (given != null) {
        without.remove(self);
        return given;
      }
      long left = end - machine.nanoTime();
      if ((left <= 0 || self.isWaitEnded()) && leave(self)) {
        return null;
      }
      LockSupport.parkNanos(this, Math.max(left, 1_000));
      Thread.interrupted(); // nobody may interrupt a worker to any effect
    }
  }

  /** False if another has taken it out. */
  private boolean leave(WorkerThread self) {
    lock.lock();
    try {
      WorkerThread later = null;
      WorkerThread at = idle;
      while (at != null && at != self) {
        later = at;
        at = at.idleBefore;
      }
      if (at == null) {
        return false;
      }
      if (later == null) {
        idle = self.idleBefore;
      } else {
        later.idleBefore = self.idleBefore;
      }
      self.idleBefore = null;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Lets those that wait end. */
  void close() {
    lock.lock();
    try {
      closed = true;
      for (WorkerThread t = idle; t != null; t = t.idleBefore) {
        t.endWait();
      }
    } finally {
      lock.unlock();
    }
  }

  /** All that have no worker now, and some that have ended. */
  Set<WorkerThread> withoutWorker() {
    return without;
  }
}
