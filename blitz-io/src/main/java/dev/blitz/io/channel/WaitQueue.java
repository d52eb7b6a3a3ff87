package dev.blitz.io.channel;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.LinkList;
import dev.blitz.io.internal.task.SafeCalls;
import org.jspecify.annotations.Nullable;

/** Those who wait for one side of a channel, oldest first. */
/* Implementation notes
 *
 * A wake says "look again"; nothing is handed over, so nothing can be lost with a waiter. What keeps
 * everybody moving is this invariant: while somebody is queued, each message (each free cell) has a waiter
 * that was woken for it and has not looked yet, or a sender (receiver) that is about to wake one.
 *   - A waiter queues only when, after `waiting` was set, there was nothing. Who brings something looks at
 *     `waiting` after that: it sees the flag, or the waiter sees what was brought.
 *   - Each thing brought wakes one waiter.
 *   - A woken waiter that is dropped wakes the next if there still is something.
 * A newcomer may take what a woken waiter was called for. That one goes back to the front of the queue; if
 * it happens HUNGRY times in a row newcomers queue behind until it has got something (`starved`). They may
 * then queue beside something to take, so whoever ends the state wakes one waiter for each thing there is.
 *
 * Ownership. list, and the stage and waker of those in it, are guarded by the list's lock. No foreign
 * code runs under it: wakers are called after.
 *
 * Orderings
 *   field    | writer          | reader              | mode     | pairs with
 *   waiting  | under the lock  | who brings          | volatile | positions of Buffer: see there
 *   starved  | under the lock  | newcomers           | volatile | a hint; enlist decides under the lock
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // volatiles are written under the lock
final class WaitQueue {
  /** Wakes in vain before newcomers must queue: often enough that it hardly ever happens. */
  static final int HUNGRY = 8;

  private final LinkList list = new LinkList();
  private final boolean competing;
  private volatile boolean waiting;
  private volatile int starved;

  /** {@code competing}: what one waiter takes another cannot have; else all wait for the same. */
  WaitQueue(boolean competing) {
    this.competing = competing;
  }

  /** Whether somebody may wait: to be read after what it waits for has been made visible. */
  boolean hasWaiters() {
    return waiting;
  }

  /** Whether a newcomer must queue without a look. */
  boolean isClosedToNewcomers() {
    return starved > 0;
  }

  /**
   * Queues a waiter unless there is something for it now.
   *
   * @return false if it must look
   */
  boolean enlist(WaitEntry w, Waker waker, boolean newcomer) {
    list.lock();
    try {
      waiting = true; // before the look
      if (!w.mustWait() && !(newcomer && starved > 0 && w.isOpen())) {
        if (list.isEmpty()) {
          waiting = false;
        }
        return false;
      }
      w.waker = waker;
      if (w.stage() == WaitEntry.Stage.WOKEN) {
        if (competing && w.vain < HUNGRY && ++w.vain == HUNGRY) {
          starved = starved + 1;
        }
        list.addFirst(w);
      } else {
        list.add(w);
      }
      w.setStage(WaitEntry.Stage.QUEUED);
      return true;
    } finally {
      list.unlock();
    }
  }

  /** Replaces the waker of one that waits; false if it has been woken meanwhile. */
  boolean stillQueued(WaitEntry w, Waker waker) {
    if (w.waker == waker) {
      return w.stage() == WaitEntry.Stage.QUEUED; // and whoever changes that calls this waker
    }
    list.lock();
    try {
      if (w.stage() != WaitEntry.Stage.QUEUED) {
        return false;
      }
      w.waker = waker;
      return true;
    } finally {
      list.unlock();
    }
  }

  /** Wakes the one that has waited longest. */
  void wakeOne() {
    Waker waker;
    list.lock();
    try {
      waker = takeFirst();
    } finally {
      list.unlock();
    }
    if (waker != null) {
      SafeCalls.wake(waker);
    }
  }

  /** Wakes all that wait now. */
  void wakeAll() {
    if (!waiting) {
      return;
    }
    @Nullable Waker[] wakers;
    list.lock();
    try {
      int n = 0;
      for (var l = list.first(); l != null; l = l.following()) {
        n++;
      }
      wakers = new Waker[n];
      for (int i = 0; i < n; i++) {
        wakers[i] = takeFirst();
      }
    } finally {
      list.unlock();
    }
    for (Waker w : wakers) {
      if (w != null) {
        SafeCalls.wake(w);
      }
    }
  }

  private @Nullable Waker takeFirst() {
    var w = (WaitEntry) list.first();
    if (w == null) {
      return null;
    }
    unlink(w);
    w.setStage(WaitEntry.Stage.WOKEN);
    return w.waker;
  }

  private void unlink(WaitEntry w) {
    list.remove(w);
    if (list.isEmpty()) {
      waiting = false;
    }
  }

  /** The waiter will not look again: it leaves, and passes on a wake that it has not used. */
  void abandon(WaitEntry w) {
    Waker next = null;
    list.lock();
    try {
      if (w.stage() == WaitEntry.Stage.QUEUED) {
        unlink(w);
      } else if (competing && !w.mustWait()) {
        next = takeFirst();
      }
      w.setStage(WaitEntry.Stage.NOT_WAITING);
    } finally {
      list.unlock();
    }
    if (next != null) {
      SafeCalls.wake(next);
    }
    settle(w);
  }

  /** The waiter has ended: if newcomers had to queue because of it, that is over. */
  void settle(WaitEntry w) {
    if (w.vain < HUNGRY) {
      return;
    }
    w.vain = 0;
    int wakes;
    list.lock();
    try {
      starved = starved - 1;
      wakes = starved == 0 ? w.available() : 0;
    } finally {
      list.unlock();
    }
    while (wakes > 0 && waiting) {
      wakes--;
      wakeOne();
    }
  }

  /** How many wait; for tests. */
  int length() {
    list.lock();
    try {
      int n = 0;
      for (var l = list.first(); l != null; l = l.following()) {
        n++;
      }
      return n;
    } finally {
      list.unlock();
    }
  }
}
