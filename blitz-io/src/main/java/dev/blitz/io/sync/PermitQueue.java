package dev.blitz.io.sync;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.SafeCalls;
import dev.blitz.io.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Permits and those who wait for them: what {@link Semaphore}, {@link Mutex} and {@link RwLock} are
 * made of. First come, first served; or barging, where a bounded number of others may come between.
 * docs/design/sync.md has the protocol with its proof.
 */
/* Implementation notes
 *
 * The word: available permits << 3 | LOCKED | CLOSED | WAITERS. While WAITERS is set there are no available permits
 * in it: those that do not suffice for the oldest waiter have been added up in that waiter, so they are
 * not lost to smaller or younger requests. LOCKED, the lock of the list, is set only together with WAITERS, so one
 * CAS takes it, or takes it and announces the first waiter. With it, the word is the holder's alone.
 *
 * Barging: permits that are given while somebody waits stay in the word, for anyone to take, and the oldest waiter is
 * called: woken where it is, to look (look()) and take them if they are still there. Each such give is counted in the
 * oldest waiter; when it has seen OVERTAKERS of them, what is given is handed to it as above. Whoever makes a waiter
 * the oldest, or leaves permits beside it, calls it, so nobody sleeps beside permits that suffice.
 *
 *   FROM            TO                 trigger                       actor
 *   permits         permits            tryTake, takeUpTo, give       anyone, CAS
 *   WAITERS permits WAITERS permits    tryTake, takeUpTo, barging    anyone, CAS
 *   permits         WAITERS LOCKED     a wait for more than there is its owner, CAS
 *   WAITERS         WAITERS LOCKED     wait, give, leave, close      anyone, CAS
 *   WAITERS LOCKED  WAITERS            some wait                     the holder, release store
 *   WAITERS LOCKED  permits            nobody waits any more         the holder, release store
 *   WAITERS LOCKED  permits CLOSED     all who waited are refused    the closer, release store
 *   permits         permits CLOSED     close, nobody waits           the closer, CAS
 *
 * Orderings
 *   field     | writer            | reader            | mode              | pairs with
 *   word      | tryTake, give     | tryTake, give     | CAS               | a release is before the acquire it serves
 *   word      | join sets WAITERS | give              | CAS               | give sees the bit and locks, or join
 *             |                   |                   |                   | sees its permits
 *   word      | unlock            | whoever locks     | release / CAS     | list, missing, waker: under the lock. No
 *             |                   |                   |                   | fence: nobody sleeps until he is told
 *   missing   | join, serve       | serve, leave      | lock              |
 *   overtaken | handOut           | handOut           | lock              |
 *   called    | handOut, look     | handOut, look     | lock              |
 *   called    | handOut           | the waiter's poll | a race            | false: the wake is still to come
 *   outcome   | serve, close      | the waiter        | release / acquire | hand-over of the permits
 *
 * tryTake and give begin with a CAS from a guess, not with a look: a CAS that fails tells the word too, and a look
 * between two of them is half as dear as they are. Futures and guards look first: where others are at work the guess
 * is wrong.
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

  /**
   * Gives that may pass by the oldest waiter of a barging queue. More: fewer changes of tasks;
   * less: an earlier turn. At 16 what is left of a change is less than the lock itself costs.
   */
  static final int OVERTAKERS = 16;

  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", long.class);

  private volatile long word;
  private final int maximum;
  private final @Nullable String name;

  /** Whether a bounded number of others may come before those who wait. */
  private final boolean barging;

  /**
   * The thread that last handed permits over. Written under LOCKED, read by anyone: all that
   * matters to a thread is whether it was itself.
   */
  private long handedOverBy;

  /** Those who wait. Guarded by LOCKED, not by itself. */
  final LinkList waiting = new LinkList();

  PermitQueue(@Nullable String name, int permits, int maximum, boolean barging) {
    this.name = name;
    this.maximum = maximum;
    this.barging = barging;
    WORD.setRelease(this, word(permits));
  }

  private static long word(int permits) {
    return (long) permits << SHIFT;
  }

  private static int permits(long word) {
    return (int) (word >>> SHIFT);
  }

  /** Whether those who come may take permits: nobody waits, or that does not matter. */
  private boolean isOpen(long word) {
    return (word & CLOSED) == 0 && (barging || (word & WAITERS) == 0);
  }

  // --- Without waiting ---

  /** Takes {@code n} permits if they are there and nobody waits who comes first. */
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
    for (int looks = 1; ; looks++) {
      if (!isOpen(now) || permits(now) < n) {
        return false;
      }
      if ((now & LOCKED) != 0) { // barging: the word is the holder's
        PinnedLock.lockedOut(false, looks);
        now = word;
        continue;
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
    for (int looks = 1; ; looks++) {
      long now = word;
      int taken = Math.min(n, permits(now));
      if (taken == 0) {
        return 0;
      }
      if ((now & LOCKED) != 0) {
        PinnedLock.lockedOut(false, looks);
      } else if (WORD.compareAndSet(this, now, now - word(taken))) {
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
      if ((now & LOCKED) == 0 && WORD.compareAndSet(this, now, now | LOCKED)) {
        return true;
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /** The permits in the word, for the holder of the lock. */
  private long left() {
    return word & ~(WAITERS | LOCKED);
  }

  /** Gives the lock back, with what is in the word from now on beside WAITERS. */
  private void unlock(long left) {
    WORD.setRelease(this, waiting.isEmpty() ? left : left | WAITERS);
    CarrierAccess.unpinIfVirtual();
  }

  /** How many permits are out, for the holder of the lock. */
  private int out() {
    return maximum - oldest().gathered() - permits(word);
  }

  /** {@link #giveUpTo} while somebody waits; -1 if nobody does any more. */
  private int serveUpTo(int n) {
    if (!lockWaiters()) {
      return -1;
    }
    int given = Math.min(n, out());
    handOut(given);
    return given;
  }

  /** {@link #give} while somebody waits; false if nobody does any more. */
  private boolean serve(int n, int fewest, int most) {
    if (!lockWaiters()) {
      return false;
    }
    int out = out();
    if (out < fewest || out > most) {
      unlock(left());
      throw notHeld(n, out);
    }
    handOut(n);
    return true;
  }

  private PermitWait<?> oldest() {
    return (PermitWait<?>) Objects.requireNonNull(waiting.first());
  }

  /**
   * Gives the lock back with {@code n} permits more than before: for anyone, if the oldest waiter
   * lets others pass, else for those who wait.
   */
  private void handOut(int n) {
    int all = permits(left()) + n;
    var oldest = (PermitWait<?>) waiting.first();
    if (barging && oldest != null && all > 0 && oldest.letsPass()) {
      unlockAndCall(word(all));
    } else {
      share(all);
    }
  }

  /** Gives the lock back; the oldest waiter is to look at the permits that are left. */
  private void unlockAndCall(long left) {
    var oldest = (PermitWait<?>) waiting.first();
    Waker called = oldest == null || left == 0 ? null : oldest.call();
    unlock(left);
    if (called != null) {
      SafeCalls.wake(called);
    }
  }

  /**
   * Gives the lock back, shares permits among the waiters, oldest first, and wakes those who have
   * theirs; the rest goes into the word.
   */
  private void share(int n) {
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
    Waiter.wakeAll(served);
  }

  /** The slow half of a first poll: takes the permits, or queues for them. */
  final byte join(PermitWait<?> waiter, Waker waker) {
    boolean pinned = CarrierAccess.pin();
    for (int looks = 1; ; looks++) {
      long now = word;
      if ((now & CLOSED) != 0) {
        CarrierAccess.unpinIfVirtual();
        return PermitWait.REFUSED;
      }
      if ((now & LOCKED) == 0) {
        int available = permits(now);
        if (isOpen(now) && available >= waiter.count()) {
          if (WORD.compareAndSet(this, now, now - word(waiter.count()))) {
            CarrierAccess.unpinIfVirtual();
            return PermitWait.GRANTED;
          }
        } else if (WORD.compareAndSet(this, now, (barging ? now : 0) | WAITERS | LOCKED)) {
          // What is there is for the first who waits; barging: for anyone.
          waiter.join(barging ? 0 : available, waker);
          unlock(left());
          return Waiter.UNSETTLED;
        }
      }
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  /**
   * A further poll of a waiter, with another waker than before or because it was called; answers
   * its outcome, if it has one. The oldest of a barging queue takes permits that are there.
   */
  final byte look(PermitWait<?> waiter, Waker waker) {
    StackRoom.forCalls();
    if (!lockWaiters()) {
      return waiter.rearm(waker); // nobody waits: it was settled
    }
    byte now = waiter.rearm(waker);
    long left = left();
    if (barging && now == Waiter.UNSETTLED) {
      waiter.called = false;
      int needed = waiter.count() - waiter.gathered();
      if (waiter == waiting.first() && permits(left) >= needed) {
        waiter.leave(waiting);
        waiter.gather(needed);
        unlockAndCall(left - word(needed));
        return PermitWait.GRANTED;
      }
    }
    unlock(left);
    return now;
  }

  /** Takes a waiter out that will not be polled again; false if it had been settled. */
  final boolean leave(PermitWait<?> waiter) {
    if (!lockWaiters()) {
      return false;
    }
    if (!waiter.leave(waiting)) {
      unlock(left());
      return false;
    }
    handOut(waiter.gathered());
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
        long left = left() + word(oldest().gathered());
        Link refused = waiting.takeAll();
        for (Link link = refused; link != null; link = link.following()) {
          ((PermitWait<?>) link).settle(PermitWait.REFUSED);
        }
        unlock(left | CLOSED);
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
