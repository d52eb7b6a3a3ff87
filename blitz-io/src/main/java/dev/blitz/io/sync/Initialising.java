package dev.blitz.io.sync;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.wait.Waiter;

/**
 * The content of a {@link OnceCell} while it is being initialised: those who wait. It stays in the
 * cell while the turn passes from one to the next, and is left for good when the cell has a value
 * or nobody wants to try again; who comes too late to wait then looks at the cell again.
 */
final class Initialising {
  /** It is the lock of both fields. */
  final LinkList waiting = new LinkList();

  private boolean over;

  /** Queues behind those who wait; false if it is over. */
  boolean join(InitWait<?, ?> waiter, Waker waker) {
    waiting.lock();
    try {
      if (!over) {
        waiter.enter(waiting, waker);
      }
      return !over;
    } finally {
      waiting.unlock();
    }
  }

  /** Takes a waiter out that will not be polled again; false if it had been told. */
  boolean leave(InitWait<?, ?> waiter) {
    waiting.lock();
    try {
      return waiter.leave(waiting);
    } finally {
      waiting.unlock();
    }
  }

  /** The cell has its value: tells all. */
  void succeed() {
    Link all;
    waiting.lock();
    try {
      over = true;
      all = waiting.takeAll();
      for (Link link = all; link != null; link = link.following()) {
        ((InitWait<?, ?>) link).settle(InitWait.THERE);
      }
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(all);
  }

  /** The initialiser came to nothing: it is the turn of the next, else the cell is empty again. */
  void passOn(OnceCell<?> cell) {
    Link next;
    waiting.lock();
    try {
      next = waiting.takeFirst();
      if (next == null) {
        over = true;
        cell.empty();
        return;
      }
      ((InitWait<?, ?>) next).settle(InitWait.TURN);
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(next);
  }
}
