package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Waiter;
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
 * one. {@link #notifyWaiters()} is for all whose future was made before, polled or not, and keeps
 * nothing for those who come later. So one who makes the future first and looks second misses none:
 *
 * {@snippet :
 * Future<Done> change = changed.notified();
 * if (!isRight()) {
 *   change.await(); // also a notifyWaiters() that came during the look
 * }
 * }
 *
 * <p>A notification for one whose receiver is dropped before it noticed goes to the next one, or is
 * kept. A future that is never polled holds nothing and takes nothing.
 */
/* Implementation notes
 *
 * The word: epochs << 3 | LOCKED | state. Each call of notifyWaiters begins an epoch; a future keeps the epoch in
 * which it was made, and a first poll that finds another one has been notified. So nobody registers before the first
 * poll.
 *
 * The state, FROM -> TO:
 *   EMPTY    -> KEPT      notifyOne, nobody waits                  CAS
 *   KEPT     -> KEPT      notifyOne again: an RMW, so that its writer's past reaches the taker too
 *   KEPT     -> EMPTY     tryNotified, a first poll                CAS
 *   EMPTY    -> WAITERS   a first poll that finds nothing          CAS, which locks too
 *   WAITERS  -> EMPTY     the last waiter is taken out or leaves   under the lock
 *   any      -> same      notifyWaiters: the next epoch            CAS; with waiters to EMPTY under the lock
 * WAITERS holds exactly while the list is not empty and the lock is free. LOCKED, the lock of the list, is set only
 * beside WAITERS, by a CAS, and ends by a release store of the holder, who alone writes the word meanwhile (see
 * PermitQueue, which does the same). So a notifier that sees WAITERS takes the lock, and one that does not leaves its
 * notification or its epoch in the word, where the first poll's CAS to WAITERS finds it.
 *
 * Orderings: the word by volatile CAS, and release under the lock; list, waker by the lock; outcome as in Waiter.
 */
public final class Notify {
  private static final int EMPTY = 0;
  private static final int KEPT = 1;
  private static final int WAITERS = 2;
  private static final int STATE = 3;

  /** Somebody has the list for himself. */
  private static final int LOCKED = 4;

  private static final int EPOCH_SHIFT = 3;

  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", long.class);

  private volatile long word;
  private final @Nullable String name;

  /** Those who wait. Guarded by LOCKED, not by itself. */
  private final LinkList waiting = new LinkList();

  private Notify(@Nullable String name) {
    this.name = name;
    WORD.setRelease(this, (long) EMPTY); // links what unlocks: linking takes memory
  }

  /** Nothing kept, nobody waiting. */
  public static Notify create() {
    return new Notify(null);
  }

  /** The same, with a name for messages and dumps. */
  public static Notify create(String name) {
    return new Notify(Objects.requireNonNull(name, "name"));
  }

  private static int state(long word) {
    return (int) word & STATE;
  }

  /** The epoch; it begins anew after 2^32 calls, which nobody outlives unpolled. */
  private static int epoch(long word) {
    return (int) (word >>> EPOCH_SHIFT);
  }

  /** The same epoch in another state, which may be LOCKED. */
  private static long with(long word, int state) {
    return (word & ~(STATE | LOCKED)) | state;
  }

  private static long nextEpoch(long word) {
    return word + (1 << EPOCH_SHIFT);
  }

  /** Wakes the one that has waited longest, or keeps one notification for the next that asks. */
  public void notifyOne() {
    StackRoom.forCalls();
    tellOne();
  }

  private void tellOne() {
    for (; ; ) {
      long now = word;
      if (state(now) == WAITERS) {
        if (wakeOldest()) {
          return;
        }
      } else if (WORD.compareAndSet(this, now, with(now, KEPT))) {
        return;
      }
    }
  }

  /** Locks the list if somebody waits; false if nobody does. */
  private boolean lockWaiters() {
    boolean pinned = CarrierAccess.pin();
    for (int looks = 1; ; looks++) {
      long now = word;
      if (state(now) != WAITERS) {
        CarrierAccess.unpinIfVirtual();
        return false;
      }
      if ((now & LOCKED) == 0 && WORD.compareAndSet(this, now, now | LOCKED)) {
        return true;
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /** Gives the lock back, in this epoch or the next. */
  private void unlock(long epoch) {
    WORD.setRelease(this, with(epoch, waiting.isEmpty() ? EMPTY : WAITERS));
    CarrierAccess.unpinIfVirtual();
  }

  private boolean wakeOldest() {
    if (!lockWaiters()) {
      return false;
    }
    Link oldest = waiting.takeFirst();
    if (oldest != null) {
      ((Notified) oldest).settle(Notified.ONE);
    }
    unlock(word);
    Waiter.wakeAll(oldest);
    return true;
  }

  /** Wakes all who wait now, and reaches all futures that were made before; keeps nothing. */
  public void notifyWaiters() {
    StackRoom.forCalls();
    for (; ; ) {
      long now = word;
      if (state(now) == WAITERS) {
        if (wakeWaiters()) {
          return;
        }
      } else if (WORD.compareAndSet(this, now, nextEpoch(now))) {
        return;
      }
    }
  }

  private boolean wakeWaiters() {
    if (!lockWaiters()) {
      return false;
    }
    Link all = waiting.takeAll();
    for (Link link = all; link != null; link = link.following()) {
      ((Notified) link).settle(Notified.ALL);
    }
    unlock(nextEpoch(word));
    Waiter.wakeAll(all);
    return true;
  }

  /** Takes the notification that is kept; false if there is none. */
  public boolean tryNotified() {
    for (; ; ) {
      long now = word;
      if (state(now) != KEPT) {
        return false;
      }
      if (WORD.compareAndSet(this, now, with(now, EMPTY))) {
        return true;
      }
    }
  }

  /** Waits for a notification, unless one is kept or {@link #notifyWaiters()} is called before. */
  @CheckReturnValue
  public UncheckedFuture<Done> notified() {
    return new Notified(this, epoch(word));
  }

  /** Whether somebody waits; for tests. */
  boolean hasWaiters() {
    return state(word) == WAITERS;
  }

  @Override
  public String toString() {
    String now =
        switch (state(word)) {
          case KEPT -> "one notification kept";
          case WAITERS -> "tasks waiting";
          default -> "nothing kept";
        };
    return "Notify[" + (name == null ? "" : name + ", ") + now + "]";
  }

  private byte join(Notified waiter, Waker waker) {
    boolean pinned = CarrierAccess.pin();
    for (int looks = 1; ; looks++) {
      long now = word;
      if (epoch(now) != waiter.madeIn) {
        CarrierAccess.unpinIfVirtual();
        return Notified.ALL;
      }
      if (state(now) == KEPT) {
        if (WORD.compareAndSet(this, now, with(now, EMPTY))) {
          CarrierAccess.unpinIfVirtual();
          return Notified.ONE;
        }
      } else if ((now & LOCKED) == 0
          && WORD.compareAndSet(this, now, with(now, WAITERS | LOCKED))) {
        waiter.enter(waiting, waker);
        unlock(now);
        return Waiter.UNSETTLED;
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /** A waiter is polled with another waker than before; answers its outcome, if it has one. */
  private byte rearm(Notified waiter, Waker waker) {
    if (!lockWaiters()) {
      return waiter.rearm(waker); // nobody waits: it was settled
    }
    byte now = waiter.rearm(waker);
    unlock(word);
    return now;
  }

  /** Takes a waiter out that will not be polled again; false if it had been notified. */
  private boolean leave(Notified waiter) {
    if (!lockWaiters()) {
      return false;
    }
    boolean left = waiter.leave(waiting);
    unlock(word);
    return left;
  }

  private static final class Notified extends Waiter implements UncheckedFuture<Done> {
    static final byte ONE = 1;
    static final byte ALL = 2;
    private static final byte ENDED = 3;

    private final Notify notify;

    /** The epoch before which it has missed nothing. */
    final int madeIn;

    Notified(Notify notify, int madeIn) {
      this.notify = notify;
      this.madeIn = madeIn;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      byte now = outcome();
      if (now == UNSETTLED) {
        now = attempt(cx);
      }
      return switch (now) {
        case UNSETTLED -> null;
        case ENDED ->
            throw new IllegalStateException(
                this + " was already awaited or dropped; make a new one");
        default -> {
          disarm();
          settle(ENDED);
          yield Done.DONE;
        }
      };
    }

    private byte attempt(Context cx) {
      if (isArmed()) {
        StackRoom.forStep();
        Waker waker = cx.waker();
        return isArmedWith(waker) ? UNSETTLED : notify.rearm(this, waker); // a wake may come
      }
      StackRoom.forMany(); // more than a drop needs, which may come at the same depth
      if (!cx.proceed()) {
        return UNSETTLED;
      }
      if (epoch(notify.word) != madeIn) {
        return ALL; // before the look for one that is kept, which others may need
      }
      byte now = notify.tryNotified() ? ONE : notify.join(this, cx.waker());
      if (now == UNSETTLED) {
        cx.refund();
      }
      return now;
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
