package dev.blitz.io.sync;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Permits and those who wait for them, first come first served: what {@link Semaphore}, {@link
 * Mutex} and {@link RwLock} are made of. docs/design/sync.md has the protocol with its proof.
 */
/* Implementation notes
 *
 * The word: available permits << 2 | CLOSED | WAITERS. While WAITERS is set there are no available permits
 * in it: those that do not suffice for the oldest waiter have been added up in that waiter, so they are
 * not lost to smaller or younger requests, and the word is written only under the lock.
 *
 * Orderings
 *   field     | writer            | reader            | mode              | pairs with
 *   word      | tryTake, give     | tryTake, give     | CAS               | a release happens before the acquire it serves
 *   word      | join sets WAITERS | give              | CAS under lock    | give sees the bit and takes the lock, or join
 *             |                   |                   |                   | sees its permits
 *   word      | serve, close      | tryTake, give     | release, lock     | who still sees WAITERS looks again under the lock
 *   missing   | join, serve       | serve, leave      | lock              |
 *   outcome   | serve, close      | the waiter        | release / acquire | hand-over of the permits
 *
 * Progress: tryTake and give are lock-free while nobody waits. The lock is held for a few instructions, longer
 * only by a give that serves many at once; wakers are called after it.
 */
abstract class PermitQueue {
  /** The word's flag: somebody is in the list, and the word has no permits. */
  private static final long WAITERS = 1;

  /** The word's flag: nobody acquires any more. */
  private static final long CLOSED = 2;

  private static final int SHIFT = 2;
  private static final VarHandle WORD = Fields.of(MethodHandles.lookup(), "word", long.class);

  private volatile long word;
  private final int maximum;
  private final @Nullable String name;

  /** Those who wait; it is the lock. */
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
    for (; ; ) {
      long now = word;
      if ((now & (WAITERS | CLOSED)) != 0 || permits(now) < n) {
        return false;
      }
      if (WORD.compareAndSet(this, now, now - word(n))) {
        return true;
      }
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
    for (; ; ) {
      long now = word;
      if ((now & WAITERS) != 0) {
        if (serve(n, fewest, most)) {
          return;
        }
        continue;
      }
      int out = maximum - permits(now);
      if (out < fewest || out > most) {
        throw notHeld(n, out);
      }
      if (WORD.compareAndSet(this, now, now + word(n))) {
        return;
      }
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

  /** {@link #giveUpTo} while somebody waits; -1 if nobody does any more. */
  private int serveUpTo(int n) {
    Link served;
    int given;
    waiting.lock();
    try {
      PermitWait<?> oldest = (PermitWait<?>) waiting.first();
      if (oldest == null) {
        return -1;
      }
      given = Math.min(n, maximum - oldest.gathered());
      served = handOut(given);
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(served);
    return given;
  }

  /** {@link #give} while somebody waits; false if nobody does any more. */
  private boolean serve(int n, int fewest, int most) {
    Link served;
    waiting.lock();
    try {
      PermitWait<?> oldest = (PermitWait<?>) waiting.first();
      if (oldest == null) {
        return false;
      }
      int out = maximum - oldest.gathered();
      if (out < fewest || out > most) {
        throw notHeld(n, out);
      }
      served = handOut(n);
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(served);
    return true;
  }

  /** Shares permits among the waiters, oldest first; the rest goes into the word. */
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
    if (waiting.isEmpty()) {
      WORD.setRelease(this, word(left) | (word & CLOSED));
    }
    return served;
  }

  /** The slow half of a first poll: takes the permits, or queues for them. */
  final byte join(PermitWait<?> waiter, Waker waker) {
    waiting.lock();
    try {
      for (; ; ) {
        long now = word;
        if ((now & CLOSED) != 0) {
          return PermitWait.REFUSED;
        }
        if ((now & WAITERS) != 0) {
          waiter.join(0, waker);
          return Waiter.UNSETTLED;
        }
        int available = permits(now);
        if (available >= waiter.count()) {
          if (WORD.compareAndSet(this, now, now - word(waiter.count()))) {
            return PermitWait.GRANTED;
          }
        } else if (WORD.compareAndSet(this, now, WAITERS)) {
          waiter.join(available, waker);
          return Waiter.UNSETTLED;
        }
      }
    } finally {
      waiting.unlock();
    }
  }

  /** Takes a waiter out that will not be polled again; false if it had been settled. */
  final boolean leave(PermitWait<?> waiter) {
    Link served;
    waiting.lock();
    try {
      if (!waiter.leave(waiting)) {
        return false;
      }
      served = handOut(waiter.gathered());
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(served);
    return true;
  }

  /** Refuses all who wait and will come. */
  final void refuseAll() {
    StackRoom.forCalls();
    Link refused;
    waiting.lock();
    try {
      PermitWait<?> oldest = (PermitWait<?>) waiting.first();
      if (oldest == null) {
        setClosed();
        return;
      }
      int gathered = oldest.gathered();
      refused = waiting.takeAll();
      for (Link link = refused; link != null; link = link.following()) {
        ((PermitWait<?>) link).settle(PermitWait.REFUSED);
      }
      WORD.setRelease(this, word(gathered) | CLOSED);
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(refused);
  }

  private void setClosed() {
    for (long now = word; !WORD.compareAndSet(this, now, now | CLOSED); now = word) {
      Thread.onSpinWait();
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
