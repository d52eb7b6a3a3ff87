package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A future that waits in a {@link LinkList}: the future is the list's element, so a wait allocates
 * nothing beyond it.
 *
 * <p>Life, seen from the list's lock:
 *
 * <pre>
 *   {@link #enter}      owner, under the lock      not linked -> linked
 *   {@link #pollAgain}  owner                      polled with the same or another waker
 *   {@link #settle}     whoever takes it out of the list, under the lock; says why
 *   {@link #wakeAll}    the same, after the lock was given back
 *   {@link #leave}      owner, under the lock      drop: false if it was settled before, so that the
 *                                                  owner passes on what it had been granted
 * </pre>
 *
 * <p>Once settled, the links belong to the one who settled, until the wake; the owner reads the
 * {@link #outcome()} and never looks at them again.
 *
 * <p>Orderings:
 *
 * <pre>
 *   field      | writer               | reader           | mode              | pairs with
 *   outcome    | settle               | poll, drop       | release / acquire | what was granted is visible to the owner
 *   waker      | enter, pollAgain     | the owner        | one thread        |
 *   waker      | enter, pollAgain     | wakeAll          | list's lock       | settle comes later under the same lock
 *   waker      | disarm               | wakeAll          | a race            | the owner has seen the outcome
 *   next       | takeThrough          | wakeAll          | one thread        |
 * </pre>
 */
public abstract class Waiter extends Link {
  /** The outcome before there is one. Subclasses use numbers of their own from 1. */
  public static final byte UNSETTLED = 0;

  private static final VarHandle OUTCOME = Fields.of(MethodHandles.lookup(), "outcome", byte.class);

  /** A byte: it fits beside Link's flag and costs no space. */
  @SuppressWarnings("unused") // through OUTCOME
  private byte outcome;

  private @Nullable Waker waker;

  /** Links the access that {@link #settle} makes under a lock: linking takes memory. */
  protected Waiter() {
    OUTCOME.setRelease(this, UNSETTLED);
  }

  /** Joins the list's end. Under the list's lock. */
  public final void enter(LinkList list, Waker waker) {
    this.waker = waker;
    list.add(this);
  }

  /**
   * A further poll, after {@link #enter}: has this poll's waker woken. Takes the lock only when
   * that is another one.
   *
   * @param list its list, which is the lock
   * @return the outcome, if the waiter was taken out meanwhile
   */
  protected final byte pollAgain(LinkList list, Waker waker) {
    if (isArmedWith(waker)) {
      return UNSETTLED; // if it was settled just now, the wake is on its way
    }
    list.lock();
    try {
      return rearm(waker);
    } finally {
      list.unlock();
    }
  }

  /** Has another waker woken, unless it was taken out. Under the list's lock. */
  public final byte rearm(Waker waker) {
    if (!isLinked()) {
      return outcome();
    }
    this.waker = waker;
    return UNSETTLED;
  }

  /** Whether the waker is the one of its last poll. Only for the owner. */
  protected final boolean isArmedWith(Waker waker) {
    return this.waker == waker;
  }

  /** Whether it has entered a list and not been disarmed. Only for the owner. */
  protected final boolean isArmed() {
    return waker != null;
  }

  /** The waker of its last poll. Under the list's lock, while it is linked. */
  protected final @Nullable Waker waker() {
    return waker;
  }

  /** Forgets the waker, once the outcome has been seen. Only for the owner. */
  protected final void disarm() {
    waker = null;
  }

  /** Leaves the list; false if it is not in. Under the list's lock. */
  public final boolean leave(LinkList list) {
    return list.remove(this);
  }

  /** Says why the wait is over. Under the list's lock, by the one who wakes it afterwards. */
  public final void settle(byte outcome) {
    OUTCOME.setRelease(this, outcome);
  }

  /** Why the wait is over, or {@link #UNSETTLED}. */
  protected final byte outcome() {
    return (byte) OUTCOME.getAcquire(this);
  }

  /** Moves from one outcome to another; false if it is not at {@code from}. */
  protected final boolean moveOutcome(byte from, byte to) {
    return OUTCOME.compareAndSet(this, from, to);
  }

  /**
   * Wakes the waiters of a chain that was taken out of a list, oldest first. Without the lock.
   *
   * @param chain what takeFirst, takeThrough or takeAll returned
   */
  public static void wakeAll(@Nullable Link chain) {
    for (Link link = chain; link != null; ) {
      Waiter waiter = (Waiter) link;
      link = waiter.next;
      waiter.next = null;
      Waker toWake = waiter.waker; // null if the owner has noticed the outcome by itself
      if (toWake != null) {
        SafeCalls.wake(toWake);
      }
    }
  }
}
