package dev.blitz.io.internal.task;

import dev.blitz.io.future.Waker;
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
 *   {@link #enter}    owner, under the lock      not linked -> linked
 *   {@link #rearm}    owner, under the lock      another waker polls it
 *   {@link #settle}   whoever takes it out of the list (with takeFirst or takeThrough), under the lock: says why
 *   {@link #wakeAll}  the same, after the lock was given back
 *   {@link #leave}    owner, under the lock      drop: false if it was settled before, so that the
 *                                                owner passes on what it had been granted
 * </pre>
 *
 * <p>Once settled, the links and the waker belong to the one who settled, until the wake; the owner
 * reads the {@link #outcome()} and never looks at them again. A poll that finds no outcome and the
 * {@linkplain #isArmedWith same waker} as before has nothing to do and takes no lock.
 *
 * <p>Orderings:
 *
 * <pre>
 *   field      | writer               | reader           | mode              | pairs with
 *   outcome    | settle               | poll, drop       | release / acquire | what was granted is visible to the owner
 *   waker      | enter, rearm (owner) | isArmedWith      | one thread        |
 *   waker      | enter, rearm         | wakeAll          | list's lock       | settle comes later under the same lock
 *   next       | takeThrough          | wakeAll          | one thread        |
 * </pre>
 */
public abstract class Waiter extends Link {
  /** The outcome before there is one. Subclasses use numbers of their own from 1. */
  protected static final byte UNSETTLED = 0;

  private static final VarHandle OUTCOME;

  static {
    try {
      OUTCOME = MethodHandles.lookup().findVarHandle(Waiter.class, "outcome", byte.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** A byte: it fits beside Link's flag and costs no space. */
  @SuppressWarnings("unused") // through OUTCOME
  private byte outcome;

  private @Nullable Waker waker;

  /** Joins the list's end. Under the list's lock. */
  protected final void enter(LinkList list, Waker waker) {
    this.waker = waker;
    list.add(this);
  }

  /** Has another waker woken. Under the list's lock, while linked. */
  protected final void rearm(Waker waker) {
    this.waker = waker;
  }

  /** Whether it waits with this waker already. Only for the owner, while there is no outcome. */
  protected final boolean isArmedWith(Waker waker) {
    return this.waker == waker;
  }

  /** Whether it has been in a list. Only for the owner, while there is no outcome. */
  protected final boolean isArmed() {
    return waker != null;
  }

  /** Leaves the list; false if it is not in. Under the list's lock. */
  protected final boolean leave(LinkList list) {
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
      Waker toWake = waiter.waker;
      waiter.waker = null;
      if (toWake != null) {
        SafeCalls.wake(toWake);
      }
    }
  }
}
