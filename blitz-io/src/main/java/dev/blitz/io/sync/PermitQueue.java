package dev.blitz.io.sync;

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
 * Permits and those who wait for them, first come first served: what {@link Semaphore}, {@link
 * Mutex} and {@link RwLock} are made of. docs/design/sync.md has the protocol with its proof.
 */
/* Implementation notes
 *
 * The word: available permits << 3 | LOCKED | CLOSED | WAITERS. While WAITERS is set there are no available permits
 * in it: those that do not suffice for the oldest waiter have been added up in that waiter, so they are
 * not lost to smaller or younger requests. LOCKED, the lock of the list, is set only together with WAITERS, so one
 * CAS takes it, or takes it and announces the first waiter. With it, the word is the holder's alone.
 *
 *   FROM            TO                 trigger                       actor
 *   permits         permits            tryTake, takeUpTo, give       anyone, CAS
 *   permits         WAITERS LOCKED     a wait for more than there is its owner, CAS
 *   WAITERS         WAITERS LOCKED     wait, give, leave, close      anyone, CAS
 *   WAITERS LOCKED  WAITERS            some wait                     the holder, release store
 *   WAITERS LOCKED  permits            nobody waits any more         the holder, release store
 *   WAITERS LOCKED  permits CLOSED     all who waited are refused    the closer, release store
 *   permits         permits CLOSED     close, nobody waits           the closer, CAS
 *
 * Orderings
 *   field     | writer            | reader            | mode              | pairs with
 *   word      | tryTake, give     | tryTake, give     | CAS               | a release happens before the acquire it serves
 *   word      | join sets WAITERS | give              | CAS               | give sees the bit and takes the lock, or join
 *             |                   |                   |                   | sees its permits
 *   word      | unlock            | whoever locks     | release / CAS     | list, missing, waker: all under the lock. No
 *             |                   |                   |                   | fence: nobody sleeps until he is told
 *   missing   | join, serve       | serve, leave      | lock              |
 *   outcome   | serve, close      | the waiter        | release / acquire | hand-over of the permits
 *
 * tryTake and give begin with a CAS from a guess, not with a look: a CAS that fails tells the word too, and a look between
 * two of them is half as dear as they are. Futures and guards look first: where others are at work the guess is wrong.
 *
 * Progress: tryTake and give are lock-free while nobody waits. The lock is held for a few instructions, longer
 * only by a give that serves many at once; wakers are called after it. A virtual thread is pinned meanwhile, and nobody
 * queues for the lock: see PinnedLock.
 */
abstract class PermitQueue {
  /** The word's flag: somebody is in the list, and the word has no permits. */
  private static final long WAITERS = 1;

  /** The word's flag: nobody acquires any more. */
  private static final long CLOSED = 2;

  /** The word's flag: somebody has the list for himself. */
  private static final long LOCKED = 4;

  private static final int SHIFT = 3;

  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", long.class);

  private volatile long word;
  private final int maximum;
  private final @Nullable String name;

  /**
   * The thread that last handed permits over. Written under LOCKED, read by anyone: all that
   * matters to a thread is whether it was itself.
   */
  private long handedOverBy;

  /** Those who wait. Guarded by LOCKED, not by itself. */
  final LinkList waiting = new LinkList();

  PermitQueue(@Nullable String name, int permits, int maximum) {
    this.name = name;
    this.maximum = maximum;
    WORD.setRelease(this, word(permits));
  }

  private static long word(int permits) {
    return (long) permits << SHIFT;
  }

  private static int permits(long word) {
    return (int) (word >>> SHIFT);
  }

  // --- Without waiting ---

  /** Takes {@code n} permits if they are there and nobody waits. */
  final boolean tryTake(int n) {
    StackRoom.forMany(); // what was taken can then be given back, at the same depth
    return take(word(maximum), n); // a guess: that nobody has any
  }

  /** As {@link #tryTake}, for one who will wait otherwise: it may have to, so it looks first. */
  final boolean takeOrWait(int n) {
    StackRoom.forMany();
    return take(word, n);
  }

  /** Takes permits, if the word is {@code start} or another that allows it. */
  private boolean take(long start, int n) {
    long now = start;
    for (; ; ) {
      if ((now & (WAITERS | CLOSED)) != 0 || permits(now) < n) {
        return false;
      }
      long seen = (long) WORD.compareAndExchange(this, now, now - word(n));
      if (seen == now) {
        return true;
      }
      now = seen;
    }
  }

  /** Takes up to {@code n} of the available permits; answers how many. */
  final int takeUpTo(int n) {
    for (; ; ) {
      long now = word;
      int taken = Math.min(n, permits(now));
      if (taken == 0 || WORD.compareAndSet(this, now, now - word(taken))) {
        return taken;
      }
    }
  }

  /**
   * Gives {@code n} permits back: to the oldest waiters, else for anyone to take. The caller has
   * made sure of the stack that calls need.
   *
   * @param fewest how many must be out for this to be right
   * @param most how many may be out
   */
  final void give(int n, int fewest, int most) {
    give(fewest <= maximum ? word(maximum - fewest) : word, n, fewest, most); // no more are out
  }

  /** As {@link #give}, of what one has who may have waited: others may wait, so it looks first. */
  final void giveBack(int n, int fewest, int most) {
    give(word, n, fewest, most);
  }

  private void give(long start, int n, int fewest, int most) {
    long now = start;
    for (; ; ) {
      if ((now & WAITERS) != 0) {
        if (serve(n, fewest, most)) {
          return;
        }
        now = word;
        continue;
      }
      int out = maximum - permits(now);
      if (out < fewest || out > most) {
        throw notHeld(n, out);
      }
      long seen = (long) WORD.compareAndExchange(this, now, now + word(n));
      if (seen == now) {
        return;
      }
      now = seen;
    }
  }

  /** Gives up to {@code n} permits, as many as are out; answers how many. */
  final int giveUpTo(int n) {
    for (; ; ) {
      long now = word;
      if ((now & WAITERS) != 0) {
        int given = serveUpTo(n);
        if (given >= 0) {
          return given;
        }
        continue;
      }
      int given = Math.min(n, maximum - permits(now));
      // Also when that is none: an RMW, so that the giver's past reaches the next taker.
      if (WORD.compareAndSet(this, now, now + word(given))) {
        return given;
      }
    }
  }

  // --- Under the lock ---

  /** Locks the list if somebody waits; false if nobody does. */
  private boolean lockWaiters() {
    boolean pinned = CarrierAccess.pin();
    for (int looks = 1; ; looks++) {
      long now = word;
      if ((now & WAITERS) == 0) {
        CarrierAccess.unpinIfVirtual();
        return false;
      }
      if (now == WAITERS && WORD.compareAndSet(this, now, WAITERS | LOCKED)) {
        return true;
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /** Gives the lock back. If nobody waits any more, {@code left} are the permits in the word. */
  private void unlock(long left) {
    WORD.setRelease(this, waiting.isEmpty() ? left : WAITERS);
    CarrierAccess.unpinIfVirtual();
  }

  /** {@link #giveUpTo} while somebody waits; -1 if nobody does any more. */
  private int serveUpTo(int n) {
    if (!lockWaiters()) {
      return -1;
    }
    int given = Math.min(n, maximum - oldest().gathered());
    Waiter.wakeAll(handOut(given));
    return given;
  }

  /** {@link #give} while somebody waits; false if nobody does any more. */
  private boolean serve(int n, int fewest, int most) {
    if (!lockWaiters()) {
      return false;
    }
    int out = maximum - oldest().gathered();
    if (out < fewest || out > most) {
      unlock(0);
      throw notHeld(n, out);
    }
    Waiter.wakeAll(handOut(n));
    return true;
  }

  private PermitWait<?> oldest() {
    return (PermitWait<?>) Objects.requireNonNull(waiting.first());
  }

  /**
   * Shares permits among the waiters, oldest first; the rest goes into the word. Gives the lock
   * back.
   */
  private @Nullable Link handOut(int n) {
    int left = n;
    PermitWait<?> last = null;
    for (Link link = waiting.first(); link != null && left > 0; link = link.following()) {
      PermitWait<?> waiter = (PermitWait<?>) link;
      left = waiter.gather(left);
      if (left < 0) {
        left = 0;
        break;
      }
      last = waiter;
    }
    Link served = last == null ? null : waiting.takeThrough(last);
    for (Link link = served; link != null; link = link.following()) {
      ((PermitWait<?>) link).settle(PermitWait.GRANTED);
    }
    if (served != null) {
      handedOverBy = Thread.currentThread().threadId();
    }
    unlock(word(left));
    return served;
  }

  /** The slow half of a first poll: takes the permits, or queues for them. */
  final byte join(PermitWait<?> waiter, Waker waker) {
    boolean pinned = CarrierAccess.pin();
    for (int looks = 1; ; looks++) {
      long now = word;
      if (now == WAITERS) {
        if (WORD.compareAndSet(this, now, WAITERS | LOCKED)) {
          waiter.join(0, waker);
          unlock(0);
          return Waiter.UNSETTLED;
        }
      } else if ((now & CLOSED) != 0) {
        CarrierAccess.unpinIfVirtual();
        return PermitWait.REFUSED;
      } else if ((now & LOCKED) == 0) {
        int available = permits(now);
        if (available >= waiter.count()) {
          if (WORD.compareAndSet(this, now, now - word(waiter.count()))) {
            CarrierAccess.unpinIfVirtual();
            return PermitWait.GRANTED;
          }
        } else if (WORD.compareAndSet(this, now, WAITERS | LOCKED)) {
          waiter.join(available, waker);
          unlock(0);
          return Waiter.UNSETTLED;
        }
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /** A waiter is polled with another waker than before; answers its outcome, if it has one. */
  final byte rearm(PermitWait<?> waiter, Waker waker) {
    StackRoom.forStep();
    if (!lockWaiters()) {
      return waiter.rearm(waker); // nobody waits: it was settled
    }
    byte now = waiter.rearm(waker);
    unlock(0);
    return now;
  }

  /** Takes a waiter out that will not be polled again; false if it had been settled. */
  final boolean leave(PermitWait<?> waiter) {
    if (!lockWaiters()) {
      return false;
    }
    if (!waiter.leave(waiting)) {
      unlock(0);
      return false;
    }
    Waiter.wakeAll(handOut(waiter.gathered()));
    return true;
  }

  /** Refuses all who wait and will come. */
  final void refuseAll() {
    StackRoom.forCalls();
    for (; ; ) {
      long now = word;
      if ((now & WAITERS) == 0) {
        if (WORD.compareAndSet(this, now, now | CLOSED)) {
          return;
        }
      } else if (lockWaiters()) {
        int gathered = oldest().gathered();
        Link refused = waiting.takeAll();
        for (Link link = refused; link != null; link = link.following()) {
          ((PermitWait<?>) link).settle(PermitWait.REFUSED);
        }
        unlock(word(gathered) | CLOSED);
        Waiter.wakeAll(refused);
        return;
      }
    }
  }

  // --- Looking ---

  /** Permits that anyone may take. */
  final int available() {
    return permits(word);
  }

  final boolean closed() {
    return (word & CLOSED) != 0;
  }

  /** Whether somebody waits. */
  final boolean hasWaiters() {
    return (word & WAITERS) != 0;
  }

  /** Whether permits were last handed over by this thread: who has them may wait for it to run. */
  final boolean isHandedOverHere() {
    return handedOverBy == Thread.currentThread().threadId();
  }

  final int maximum() {
    return maximum;
  }

  /** What a give of permits that are not out throws. */
  abstract IllegalStateException notHeld(int given, int out);

  /** What a refused waiter throws. */
  IllegalStateException refusal() {
    throw new AssertionError("never closed: " + this);
  }

  /** The object in messages: kind, name and state. */
  final String describe(String kind, String state) {
    String queue = hasWaiters() ? ", others waiting" : "";
    return kind + "[" + (name == null ? "" : name + ", ") + state + queue + "]";
  }
}
