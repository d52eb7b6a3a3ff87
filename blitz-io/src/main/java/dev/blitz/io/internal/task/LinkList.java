package dev.blitz.io.internal.task;

import org.jspecify.annotations.Nullable;

/**
 * A doubly linked list through its elements, oldest first. Not thread safe: whoever owns the list
 * guards it.
 *
 * <p>{@link #moveAllTo} hands the elements to a list that one thread has for itself. They count as
 * not linked from then on, so their owners leave them alone while that thread walks them without a
 * lock.
 */
public final class LinkList {
  private @Nullable Link first;
  private @Nullable Link last;

  public boolean isEmpty() {
    return first == null;
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

  /** Before all others. */
  public void addFirst(Link link) {
    link.linked = true;
    link.next = first;
    if (first == null) {
      last = link;
    } else {
      first.prev = link;
    }
    first = link;
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
