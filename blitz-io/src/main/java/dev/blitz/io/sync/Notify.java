package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.Link;
import dev.blitz.io.internal.task.LinkList;
import dev.blitz.io.internal.task.StackRoom;
import dev.blitz.io.internal.task.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells a task that something has happened, without saying what: the piece to build a condition, a
 * queue or an event from.
 *
 * {@snippet :
 * Notify filled = Notify.create();
 * queue.add(item); // the producer: first the change, then the word
 * filled.notifyOne();
 *
 * while (queue.isEmpty()) { // the consumer
 *   filled.notified().await();
 * }
 * }
 *
 * <p>{@link #notifyOne()} wakes the one that has waited longest; if nobody waits, the notification
 * is kept for the next one that asks. One is kept at most: a thousand notifications to nobody are
 * one. {@link #notifyWaiters()} is for those who wait at that moment, that is, whose future has
 * been polled, and keeps nothing. A notification whose receiver is dropped before it noticed goes
 * to the next one, or is kept.
 */
/* Implementation notes
 *
 * The state, FROM -> TO:
 *   EMPTY    -> KEPT      notifyOne, nobody waits                  CAS
 *   KEPT     -> KEPT      notifyOne again: an RMW, so that its writer's past reaches the taker too
 *   KEPT     -> EMPTY     tryNotified, a first poll                CAS
 *   EMPTY    -> WAITERS   a first poll that finds nothing          CAS under the lock
 *   WAITERS  -> EMPTY     the last waiter is taken out or leaves   under the lock
 * WAITERS holds exactly while the list is not empty and the lock is free, and only a holder of the lock ends
 * it; so a notifier that sees it takes the lock, and one that does not leaves its notification in the state,
 * where the first poll's CAS to WAITERS finds it.
 *
 * Orderings: the state by volatile CAS throughout; list, waker by the lock (the list); outcome as in Waiter.
 */
public final class Notify {
  private static final int EMPTY = 0;
  private static final int KEPT = 1;
  private static final int WAITERS = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Notify.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;
  private final @Nullable String name;
  private final LinkList waiting = new LinkList();

  private Notify(@Nullable String name) {
    this.name = name;
  }

  /** Nothing kept, nobody waiting. */
  public static Notify create() {
    return new Notify(null);
  }

  /** The same, with a name for messages and dumps. */
  public static Notify create(String name) {
    return new Notify(Objects.requireNonNull(name, "name"));
  }

  /** Wakes the one that has waited longest, or keeps one notification for the next that asks. */
  public void notifyOne() {
    StackRoom.forCalls();
    tellOne();
  }

  private void tellOne() {
    for (; ; ) {
      int now = state;
      if (now == WAITERS) {
        if (wakeOldest()) {
          return;
        }
      } else if (STATE.compareAndSet(this, now, KEPT)) {
        return;
      }
    }
  }

  private boolean wakeOldest() {
    Link oldest;
    waiting.lock();
    try {
      oldest = waiting.takeFirst();
      if (oldest == null) {
        return false;
      }
      ((Notified) oldest).settle(Notified.ONE);
      if (waiting.isEmpty()) {
        state = EMPTY;
      }
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(oldest);
    return true;
  }

  /** Wakes all who wait now; keeps nothing. */
  public void notifyWaiters() {
    StackRoom.forCalls();
    if (state != WAITERS) {
      return;
    }
    Link all;
    waiting.lock();
    try {
      all = waiting.takeAll();
      if (all == null) {
        return;
      }
      for (Link link = all; link != null; link = link.following()) {
        ((Notified) link).settle(Notified.ALL);
      }
      state = EMPTY;
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(all);
  }

  /** Takes the notification that is kept; false if there is none. */
  public boolean tryNotified() {
    return state == KEPT && STATE.compareAndSet(this, KEPT, EMPTY);
  }

  /** Waits for a notification, unless one is kept. */
  @CheckReturnValue
  public UncheckedFuture<Done> notified() {
    return new Notified(this);
  }

  /** Whether somebody waits; for tests. */
  boolean hasWaiters() {
    return state == WAITERS;
  }

  @Override
  public String toString() {
    String now =
        switch (state) {
          case KEPT -> "one notification kept";
          case WAITERS -> "tasks waiting";
          default -> "nothing kept";
        };
    return "Notify[" + (name == null ? "" : name + ", ") + now + "]";
  }

  private byte join(Notified waiter, Waker waker) {
    waiting.lock();
    try {
      for (; ; ) {
        int now = state;
        if (now == KEPT) {
          if (STATE.compareAndSet(this, KEPT, EMPTY)) {
            return Notified.ONE;
          }
        } else if (now == WAITERS || STATE.compareAndSet(this, EMPTY, WAITERS)) {
          waiter.enter(waiting, waker);
          return Waiter.UNSETTLED;
        }
      }
    } finally {
      waiting.unlock();
    }
  }

  /** Takes a waiter out that will not be polled again; false if it had been notified. */
  private boolean leave(Notified waiter) {
    waiting.lock();
    try {
      if (!waiter.leave(waiting)) {
        return false;
      }
      if (waiting.isEmpty()) {
        state = EMPTY;
      }
      return true;
    } finally {
      waiting.unlock();
    }
  }

  private static final class Notified extends Waiter implements UncheckedFuture<Done> {
    static final byte ONE = 1;
    static final byte ALL = 2;
    private static final byte ENDED = 3;

    private final Notify notify;

    Notified(Notify notify) {
      this.notify = notify;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      byte now = outcome();
      if (now == UNSETTLED) {
        now = attempt(cx);
      }
      return switch (now) {
        case UNSETTLED -> null;
        case ENDED -> throw new IllegalStateException("polled after completion: " + this);
        default -> {
          disarm();
          settle(ENDED);
          yield Done.DONE;
        }
      };
    }

    private byte attempt(Context cx) {
    StackRoom.forStep();
      if (isArmed()) {
        return pollAgain(notify.waiting, cx.waker());
      }
      if (!cx.proceed()) {
        return UNSETTLED;
      }
      return notify.tryNotified() ? ONE : notify.join(this, cx.waker());
    }

    @Override
    public void drop() {
    StackRoom.forCalls();
      if (isArmed() && !notify.leave(this) && outcome() == ONE) {
        settle(ENDED);
        notify.tellOne();
      }
    }

    @Override
    public String toString() {
      return "a notification of " + notify;
    }
  }
}
