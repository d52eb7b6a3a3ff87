package dev.blitz.io.channel;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.current.Uncaught;
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
 *   - A woken waiter that is dropped, or fails, wakes the next if there still is something.
 * A newcomer may take what a woken waiter was called for. That one goes back to its old place, which its ticket
 * tells; if it happens HUNGRY times in a row newcomers queue behind until it has got something (`starved`). They
 * may then queue beside something to take, so whoever ends the state wakes one waiter for each thing there is.
 *
 * Errors. What was brought is there when the wake begins, so waking never throws. A stack can overflow at any call
 * and at nothing else: so under the lock, from the first change of the list to the unlock, nothing is called. An Error
 * outside of it leaves the wake to others (Owed): the handlers call nothing either.
 *
 * Ownership. The list, and the stage and waker of those in it, are guarded by the lock.
 *
 * Orderings
 *   field    | writer          | reader              | mode         | pairs with
 *   waiting  | under the lock  | who brings          | volatile     | positions of Buffer: see there
 *   starved  | under the lock  | newcomers           | volatile     | a hint; enlist decides under the lock
 *   stage (of an entry): see WaitEntry
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // volatiles are written under the lock
final class WaitQueue extends BriefLock {
  /** Wakes in vain before newcomers must queue: often enough that it hardly ever happens. */
  static final int HUNGRY = 8;

  private static final WaitEntry[] NOBODY = {};

  private final boolean competing;

  /** Whether somebody may wait: to be read after what it waits for has been made visible. */
  volatile boolean waiting;

  private volatile int starved;

  // All guarded by the lock.
  private @Nullable WaitEntry first;
  private @Nullable WaitEntry last;

  /** The one that came back last, while it is queued: others that come back belong near it. */
  private @Nullable WaitEntry returned;

  private int nextTicket;
  private int size;

  /** {@code competing}: what one waiter takes another cannot have; else all wait for the same. */
  WaitQueue(boolean competing) {
    this.competing = competing;
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
    if (Owed.first != null) {
      payAll();
    }
    lock();
    try {
      if (!waiting) {
        waiting = true; // before the look; if it was set, the lock came between
      }
      if (!w.mustWait() && !(newcomer && starved > 0 && w.isOpen())) {
        return false;
      }
      w.waker = waker;
      WaitEntry before = last;
      if (competing && w.stage == WaitEntry.WOKEN) {
        if (w.vain < HUNGRY && ++w.vain == HUNGRY) {
          starved = starved + 1;
        }
        before = returned;
        while (before != null && before.ticket - w.ticket > 0) {
          before = before.prev;
        }
        WaitEntry after = before == null ? first : before.next;
        while (after != null && after.ticket - w.ticket < 0) {
          before = after;
          after = after.next;
        }
        returned = w;
      } else {
        w.ticket = nextTicket++;
      }
      WaitEntry after = before == null ? first : before.next;
      w.prev = before;
      w.next = after;
      if (before == null) {
        first = w;
      } else {
        before.next = w;
      }
      if (after == null) {
        last = w;
      } else {
        after.prev = w;
      }
      w.stage = WaitEntry.QUEUED;
      size++;
      return true;
    } finally {
      if (first == null) {
        waiting = false;
      }
      locked = false;
    }
  }

  /** Replaces the waker of one that waits; false if it has been woken meanwhile. */
  boolean stillQueued(WaitEntry w, Waker waker) {
    if (w.waker == waker) {
      return w.stage == WaitEntry.QUEUED; // and whoever changes that calls this waker
    }
    lock();
    try {
      if (w.stage != WaitEntry.QUEUED) {
        return false;
      }
      w.waker = waker;
      return true;
    } finally {
      locked = false;
    }
  }

  /** Wakes the one that has waited longest. Never throws. */
  void wakeOne() {
    WaitEntry w = null;
    try {
      if (Owed.first != null) {
        payAll();
      }
      w = takeFirst();
      if (w != null && w.waker != null) {
        wake(w.waker);
      }
    } catch (VirtualMachineError e) {
      Owed o = w == null ? this : w;
      synchronized (LOCK) {
        if (!o.owing) {
          o.owing = true;
          o.nextOwed = Owed.first;
          Owed.first = o;
        }
      }
    }
  }

  /** Wakes all that wait now, each once. Never throws. */
  void wakeAll() {
    if (!waiting) {
      return;
    }
    WaitEntry[] all = NOBODY;
    int next = 0;
    try {
      all = takeAll();
      while (next < all.length) {
        Waker waker = all[next].waker;
        if (waker != null) {
          wake(waker);
        }
        next++;
      }
    } catch (VirtualMachineError e) {
      if (all == NOBODY) {
        wakeOneByOne();
      }
      synchronized (LOCK) {
        for (; next < all.length; next++) {
          WaitEntry w = all[next];
          if (!w.owing) {
            w.owing = true;
            w.nextOwed = Owed.first;
            Owed.first = w;
          }
        }
        if (!owing) {
          owing = true;
          nextOwed = Owed.first;
          Owed.first = this;
        }
      }
    }
  }

  /**
   * Needs no memory. One who is back at once may be called again in place of another, so the queue
   * stays owed.
   */
  private void wakeOneByOne() {
    for (int left = size; left > 0; left--) { // a hint: without the lock
      wakeOne();
    }
  }

  /** Somebody brought something and could not tell: all may look. */
  @Override
  void pay() {
    wakeAll();
  }

  /** Calls a waker; only what the JVM has run out of gets through. */
  static void wake(Waker waker) {
    try {
      waker.wake();
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable t) {
      Uncaught.report("waker " + waker.getClass().getName(), t);
    }
  }

  /** Takes the one that has waited longest out of the queue; it counts as woken. */
  private @Nullable WaitEntry takeFirst() {
    lock();
    try {
      WaitEntry w = first;
      if (w != null) {
        WaitEntry after = w.next;
        first = after;
        if (after == null) {
          last = null;
          waiting = false;
        } else {
          after.prev = null;
          w.next = null;
        }
        if (returned == w) {
          returned = null;
        }
        size--;
        w.stage = WaitEntry.WOKEN;
      }
      return w;
    } finally {
      locked = false;
    }
  }

  /**
   * Takes all out of the queue; they count as woken. All at once: one that is back in its old place
   * before the others have been called would be called again, in place of another.
   */
  private WaitEntry[] takeAll() {
    lock();
    try {
      var all = new WaitEntry[size];
      WaitEntry w = first;
      for (int i = 0; i < all.length && w != null; i++) {
        all[i] = w;
        WaitEntry after = w.next;
        w.prev = null;
        w.next = null;
        w.stage = WaitEntry.WOKEN;
        w = after;
      }
      first = null;
      last = null;
      returned = null;
      size = 0;
      waiting = false;
      return all;
    } finally {
      locked = false;
    }
  }

  /**
   * The waiter will not look again: it leaves, and passes on a wake that it has not used. Whatever
   * is thrown here, it may be repeated.
   */
  void abandon(WaitEntry w) {
    if (w.stage == WaitEntry.QUEUED) {
      leave(w);
    }
    if (w.stage == WaitEntry.WOKEN) {
      if (competing && !w.mustWait()) {
        wakeOne();
      }
      w.stage = WaitEntry.NOT_WAITING;
    }
    sate(w);
  }

  /** Takes a waiter out, unless it has been woken meanwhile. */
  private void leave(WaitEntry w) {
    lock();
    try {
      if (w.stage == WaitEntry.QUEUED) {
        WaitEntry before = w.prev;
        WaitEntry after = w.next;
        if (before == null) {
          first = after;
        } else {
          before.next = after;
        }
        if (after == null) {
          last = before;
        } else {
          after.prev = before;
        }
        if (returned == w) {
          returned = before;
        }
        w.prev = null;
        w.next = null;
        w.stage = WaitEntry.NOT_WAITING;
        size--;
        if (first == null) {
          waiting = false;
        }
      }
    } finally {
      locked = false;
    }
  }

  /** The waiter has ended: if newcomers had to queue because of it, that is over. */
  void sate(WaitEntry w) {
    if (w.vain < HUNGRY) {
      return;
    }
    int wakes;
    lock();
    try {
      wakes = w.available(); // under the lock: nobody queues between this and the end of the state
      w.vain = 0;
      starved = starved - 1;
      if (starved > 0) {
        wakes = 0;
      }
    } finally {
      locked = false;
    }
    try {
      while (wakes > 0 && waiting) {
        wakes--;
        wakeOne();
      }
    } catch (VirtualMachineError e) {
      synchronized (LOCK) {
        if (!owing) {
          owing = true;
          nextOwed = Owed.first;
          Owed.first = this;
        }
      }
    }
  }

  /** How many wait. */
  int length() {
    lock();
    try {
      return size;
    } finally {
      locked = false;
    }
  }
}
