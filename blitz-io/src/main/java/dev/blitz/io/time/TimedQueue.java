package dev.blitz.io.time;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.internal.wait.WaitFuture;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for what comes with time: first come, first served, with one timer for all. The
 * subclass says what there is, the {@link Wait} what it wants of it.
 */
/* Implementation notes
 *
 * `waiting` is the lock of everything here and in the subclass. A waiter is served by the one who looks: the alarm, a
 * newcomer, one who leaves. The alarm is set under the lock; workers are told and waiters woken after it. When the
 * timers close, whoever waits is served with what is there or refused.
 */
abstract class TimedQueue {
  final WaitAlarm alarm;
  final LinkList waiting = new LinkList();

  TimedQueue(RuntimeTimers timers) {
    this.alarm = new WaitAlarm(timers, this::look);
  }

  // --- Under the lock ---

  /** Notes what has come up to now. */
  void count() {}

  /** Nobody waits any more: forgets what is kept for nobody. */
  void keepNoMore() {}

  /** When the oldest waiter can be served. */
  abstract long dueNanos();

  /** Serves the oldest waiters, who are to be woken; sets the alarm for the others. */
  final @Nullable Link serve() {
    count();
    Link last = null;
    int taken = 0;
    boolean refused = false;
    boolean closed = alarm.isClosed(); // then nobody can wait any more
    for (Link link = waiting.first(); link != null; link = link.following()) {
      if (!refused && ((Wait<?>) link).take()) {
        taken++;
      } else if (closed) {
        refused = true; // it and those behind it go away without
      } else {
        break;
      }
      last = link;
    }
    Link served = last == null ? null : waiting.takeThrough(last);
    for (Link link = served; link != null; link = link.following()) {
      ((Wait<?>) link).settle(taken-- > 0 ? Wait.SERVED : Wait.CLOSED);
    }
    if (waiting.isEmpty()) {
      keepNoMore();
    }
    setAlarm();
    return served;
  }

  private void setAlarm() {
    if (waiting.isEmpty()) {
      alarm.unset();
    } else {
      alarm.set(dueNanos());
    }
  }

  // --- Without it ---

  private void look() {
    StackRoom.forCalls();
    Link served;
    waiting.lock();
    try {
      served = serve();
    } finally {
      waiting.unlock();
    }
    alarm.tellAndWake(served);
  }

  /** Whether somebody waits; for tests. */
  final boolean hasWaiters() {
    return !waiting.isEmptyNow();
  }

  /** One who waits. */
  abstract static class Wait<T> extends WaitFuture<T> {
    private static final byte SERVED = 1;
    private static final byte CLOSED = 2;

    private final TimedQueue queue;

    Wait(TimedQueue queue) {
      super(queue.waiting);
      this.queue = queue;
    }

    /** Takes what it wants if that is there, under the lock; it is the first in the line. */
    abstract boolean take();

    /** Gives it back, under the lock: it was served, but nobody wants it any more. */
    abstract void giveBack();

    /** What it has taken. */
    abstract T taken();

    @Override
    protected final byte join(Waker waker) {
      Link served;
      boolean taken;
      queue.waiting.lock();
      try {
        served = queue.serve();
        taken = queue.waiting.isEmpty() && take();
        if (!taken) {
          enter(queue.waiting, waker);
          queue.setAlarm();
        }
      } finally {
        queue.waiting.unlock();
      }
      try {
        queue.alarm.tellAndWake(served);
      } catch (Throwable t) {
        if (!taken) {
          leave(); // no worker can be had that would turn the timers
        }
        throw t;
      }
      if (taken) {
        return SERVED;
      }
      if (!queue.alarm.isClosed()) {
        return UNSETTLED;
      }
      queue.look(); // the close may have told those who waited before
      return outcome();
    }

    @Override
    protected final T end(byte outcome) {
      if (outcome == CLOSED) {
        throw queue.alarm.refusal();
      }
      return taken();
    }

    @Override
    protected final void leave() {
      Link served;
      queue.waiting.lock();
      try {
        if (!leave(queue.waiting) && outcome() == SERVED) {
          giveBack();
        }
        served = queue.serve();
      } finally {
        queue.waiting.unlock();
      }
      queue.alarm.tellAndWake(served);
    }
  }
}
