package dev.blitz.io.internal.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list through its elements, oldest first. Not thread safe: whoever owns the list
 * guards it. It is a lock that may serve for that, of the kind of {@link PinnedLock}: nobody queues
 * for it, and it is held for a few instructions. Not re-entrant.
 *
 * <p>{@link #moveAllTo} hands the elements to a list that one thread has for itself. They count as
 * not linked from then on, so their owners leave them alone while that thread walks them without a
 * lock.
 */
/* Implementation notes
 *
 * locked: taken by a CAS, given back by a release store, which the next CAS reads. Nobody sleeps until he is told, so
 * the unlock need not look for anyone, and needs no fence.
 */
public final class LinkList {
  private static final VarHandle LOCKED =
      Fields.of(MethodHandles.lookup(), "locked", boolean.class);

  private volatile boolean locked;
  private @Nullable Link first;
  private @Nullable Link last;

  /** Links the access that {@link #unlock} makes: linking takes memory. */
  public LinkList() {
    LOCKED.setRelease(this, false);
  }

  /** Locks; the caller gives it back with the stack that this has looked for. */
  public void lock() {
    StackRoom.forStep();
    boolean pinned = CarrierAccess.pin();
    if (!LOCKED.compareAndSet(this, false, true)) {
      lockSlowly(pinned);
    }
  }

  /**
   * The same for one who has a lock of this kind already: nobody leaves his carrier with it, so
   * whoever cannot be pinned spins. The holder is never without a carrier either.
   */
  public void lockInside() {
    StackRoom.forStep();
    boolean pinned = CarrierAccess.pin();
    if (!LOCKED.compareAndSet(this, false, true)) {
      if (!pinned && Thread.currentThread().isVirtual()) {
        spin();
      } else {
        lockSlowly(pinned);
      }
    }
  }

  private void lockSlowly(boolean pinned) {
    for (int looks = 1; locked || !LOCKED.compareAndSet(this, false, true); looks++) {
      PinnedLock.lockedOut(pinned, looks);
    }
  }

  private void spin() {
    while (locked || !LOCKED.compareAndSet(this, false, true)) {
      Thread.onSpinWait();
    }
  }

  public void unlock() {
    LOCKED.setRelease(this, false);
    CarrierAccess.unpinIfVirtual();
  }

  public boolean isEmpty() {
    return first == null;
  }

  /** As {@link #isEmpty}, for one who does not hold the lock. */
  public boolean isEmptyNow() {
    lock();
    try {
      return first == null;
    } finally {
      unlock();
    }
  }

  public @Nullable Link first() {
    return first;
  }

  public void add(Link link) {
    link.linked = true;
    link.prev = last;
    if (last == null) {
      first = link;
    } else {
      last.next = link;
    }
    last = link;
  }

  /** Takes a link out; false if it was not in. */
  public boolean remove(Link link) {
    if (!link.linked) {
      return false;
    }
    link.linked = false;
    Link before = link.prev;
    Link after = link.next;
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
    link.prev = null;
    link.next = null;
    return true;
  }

  /** Takes the oldest element out; null if there is none. */
  public @Nullable Link takeFirst() {
    Link link = first;
    if (link != null) {
      remove(link);
    }
    return link;
  }

  /** Takes all elements out, as {@link #takeThrough}; null if there are none. */
  public @Nullable Link takeAll() {
    return last == null ? null : takeThrough(last);
  }

  /**
   * Takes out the elements from the oldest to {@code through}, which must be in.
   *
   * @return the oldest; {@link Link#following} leads from each to the next and ends with null
   */
  public Link takeThrough(Link through) {
    Link oldest = through;
    for (Link l = through; l != null; ) {
      oldest = l;
      l = oldest.prev;
      oldest.linked = false;
      oldest.prev = null;
    }
    first = through.next;
    through.next = null;
    if (first == null) {
      last = null;
    } else {
      first.prev = null;
    }
    return oldest;
  }

  /** Moves all elements, unlinked, behind those that {@code privately} holds. */
  public void moveAllTo(LinkList privately) {
    for (Link l = first; l != null; l = l.next) {
      l.linked = false;
      l.prev = null;
    }
    if (privately.last == null) {
      privately.first = first;
    } else {
      privately.last.next = first;
    }
    if (last != null) {
      privately.last = last;
    }
    first = null;
    last = null;
  }

  /** The oldest of the elements that were moved here, or null. */
  public @Nullable Link takeMoved() {
    Link link = first;
    if (link != null) {
      first = link.next;
      if (first == null) {
        last = null;
      }
      link.next = null;
    }
    return link;
  }
}
