package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.OverlappingFileLockException;
import org.jspecify.annotations.Nullable;

/** The locked parts of one open file, and who waits for them. Any thread may call. */
/* Implementation notes
 *
 * All is guarded by the lock of `ranges`; wakers are called without it. A wait is in `behind` while it waits for a
 * range of the same file to be given back, and in `paused` while it waits for a timer; both end with the file.
 *
 * The ranges are looked through one by one, as the system does it.
 */
public final class FileLocks {
  private final OpenFile file;
  private final LinkList ranges = new LinkList();
  private final LinkList behind = new LinkList();
  private final LinkList paused = new LinkList();
  private boolean ended;

  /** One who waits. */
  public static final class Wait extends Link {
    private final WakerSlot owner = new WakerSlot();
    private @Nullable RangeLock before;
    private @Nullable LinkList in;
  }

  FileLocks(OpenFile file) {
    this.file = file;
  }

  /**
   * Keeps others of this file from what {@code range} has.
   *
   * @return false if one that overlaps is being given back: {@code waker} will be woken
   * @throws OverlappingFileLockException if one that overlaps is locked or asked for
   */
  public boolean tryClaim(RangeLock range, Wait wait, Waker waker) throws ClosedChannelException {
    ranges.lock();
    try {
      unlink(wait);
      if (ended) {
        throw new ClosedChannelException();
      }
      RangeLock leaving = null;
      for (Link link = ranges.first(); link != null; link = link.following()) {
        var other = (RangeLock) link;
        if (other.overlaps(range)) {
          if (other.state != RangeLock.State.LEFT && other.state != RangeLock.State.RELEASING) {
            throw new OverlappingFileLockException();
          }
          leaving = other;
        }
      }
      if (leaving == null) {
        range.state = RangeLock.State.ASKED;
        ranges.add(range);
        return true;
      }
      link(wait, leaving, behind, waker);
      return false;
    } finally {
      ranges.unlock();
    }
  }

  /** {@code waker} is woken when the file is closed. */
  public void awaitClose(Wait wait, Waker waker) throws AsynchronousCloseException {
    ranges.lock();
    try {
      unlink(wait);
      if (ended) {
        throw file.closedMeanwhile();
      }
      link(wait, null, paused, waker);
    } finally {
      ranges.unlock();
    }
  }

  /**
   * Whether {@code range} has been given back; begins that with its first call.
   *
   * @return false if not: {@code waker} will be woken
   */
  public boolean awaitRelease(RangeLock range, Wait wait, Waker waker) throws IOException {
    if (range.state == RangeLock.State.HELD) {
      range.releaseAwaited();
    }
    ranges.lock();
    try {
      unlink(wait);
      if (range.state != RangeLock.State.GONE && !ended) {
        link(wait, range, behind, waker);
        return false;
      }
    } finally {
      ranges.unlock();
    }
    range.throwFailure();
    return true;
  }

  private static void link(Wait wait, @Nullable RangeLock before, LinkList list, Waker waker) {
    wait.owner.set(waker);
    wait.before = before;
    wait.in = list;
    list.add(wait);
  }

  private static void unlink(Wait wait) {
    LinkList list = wait.in;
    if (list != null) {
      list.remove(wait);
      wait.in = null;
      wait.before = null;
    }
  }

  /** Ends a wait. */
  public void forget(Wait wait) {
    ranges.lock();
    try {
      unlink(wait);
    } finally {
      ranges.unlock();
    }
    wait.owner.clear();
  }

  void move(RangeLock range, RangeLock.State from, RangeLock.State to) {
    ranges.lock();
    try {
      if (range.state == from) {
        range.state = to;
      }
    } finally {
      ranges.unlock();
    }
  }

  /** Whether it is the caller who gives it back. */
  boolean tryBeginRelease(RangeLock range) {
    ranges.lock();
    try {
      RangeLock.State now = range.state;
      boolean begins =
          now == RangeLock.State.ASKED
              || now == RangeLock.State.LEFT
              || now == RangeLock.State.HELD;
      if (begins) {
        range.state = RangeLock.State.RELEASING;
      }
      return begins;
    } finally {
      ranges.unlock();
    }
  }

  /**
   * Nothing of it is locked any more. Needs {@link StackRoom#forCalls}, as who waits for it is
   * woken; it does not look itself, since the end of an operation, which calls it, cannot go back.
   */
  void remove(RangeLock range) {
    ranges.lock();
    try {
      range.state = RangeLock.State.GONE;
      if (!ranges.remove(range)) {
        return;
      }
    } finally {
      ranges.unlock();
    }
    wakeBehind(range);
  }

  /** Lets those who wait for {@code range} look again. Needs {@link StackRoom#forCalls}. */
  void wakeBehind(RangeLock range) {
    for (Wait next = nextBehind(range); next != null; next = nextBehind(range)) {
      next.owner.wake();
    }
  }

  private @Nullable Wait nextBehind(RangeLock range) {
    ranges.lock();
    try {
      for (Link link = behind.first(); link != null; link = link.following()) {
        var wait = (Wait) link;
        if (wait.before == range) {
          unlink(wait);
          return wait;
        }
      }
      return null;
    } finally {
      ranges.unlock();
    }
  }

  /** Who waits is woken, and nobody waits any more. */
  void fileClosed() {
    ranges.lock();
    try {
      ended = true;
    } finally {
      ranges.unlock();
    }
    wakeAll(behind);
    wakeAll(paused);
  }

  private void wakeAll(LinkList list) {
    for (; ; ) {
      Wait next;
      ranges.lock();
      try {
        next = (Wait) list.first();
        if (next == null) {
          return;
        }
        unlink(next);
      } finally {
        ranges.unlock();
      }
      next.owner.wake();
    }
  }
}
