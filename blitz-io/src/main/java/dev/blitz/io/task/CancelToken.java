package dev.blitz.io.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.CarrierAccess;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cancellation signal that any number of tasks and threads can watch. Tokens form a tree:
 * cancelling one cancels everything below it, never what is above or beside it.
 *
 * {@snippet :
 * CancelToken server = CancelToken.create();
 * CancelToken request = server.child();
 * Future<Page> page = request.guard(load(id)); // CancelledException once either is cancelled
 * server.cancel();
 * }
 *
 * <p>Thread safe, needs no runtime, never blocks. Cancelling is final. What a thread does before
 * {@link #cancel()} happens before anything that follows a {@link #isCancelled()} that answers true
 * or the end of a {@link #cancelled()} future, of this token or one below it.
 *
 * <p>Cost: a child that nobody waits on is unknown to its parent, so there is nothing to close and
 * short-lived children of a long-lived token leave nothing behind. {@link #isCancelled()} reads one
 * flag per level. The first waiter of a token takes one lock per level up to the first token that
 * has waiters already, later ones only the token's own.
 */
/* Implementation notes
 *
 * Ownership. `waiting` holds those to tell when this token is cancelled: waiters, and child tokens that
 * have somebody to tell in turn. It is guarded by its own lock, as are the Link fields of its elements
 * and a waiter's waker. Locks nest upwards only (child, then parent), so they cannot deadlock. All
 * locks that a step needs are held to its end; they are taken in a loop, so a deep tree costs no stack.
 *
 * Invariant, under a token's lock: unless the token or one above has been cancelled, it is in its
 * parent's list exactly if its own list is not empty.
 *
 * Protocol
 *   enlist   a waiter enters under the lock. Into an empty list: the parent enlists this token too,
 *            in the same way, still under this lock; a cancelled token refuses, and whoever is refused
 *            is cancelled too (its list is empty: there is nobody to tell).
 *   delist   a waiter leaves; the last one takes the token out of its parent's list.
 *   end      sets the flag, moves the list to the canceller, leaves the parent's list; no call goes out
 *            under a lock.
 *   cancel   ends the token, then tells each that was moved, oldest first, level by level: a waiter is woken,
 *            a token ended. Iterative: a deep tree costs no stack here. Actions are gathered meanwhile and run at
 *            last, when the thread is not pinned any more: they are foreign and may block.
 * A waiter that finds a non-empty list does not look upwards. It need not: the list's token is in its
 * parent's list, or a canceller that has taken it from there is on its way and will find the waiter.
 *
 * Orderings
 *   field      | writer       | reader             | mode          | pairs with
 *   cancelled  | end, enlist  | isCancelled        | volatile      | publishes what was done before cancel
 *   cancelled  | end, enlist  | enlist             | lock          | no waiter enters after the list was moved
 *   waker      | the waiter   | canceller          | lock          | rearm, then looks at isCancelled again: either
 *              |              |                    |               | the canceller reads the new waker or the
 *              |              |                    |               | waiter sees the flag
 *   next       | end          | canceller          | lock, then    | moved links are the canceller's alone
 *              |              |                    | one thread    |
 *
 * Progress: blocking, with critical sections of constant length but for end, which walks its list once.
 */
public final class CancelToken {
  private final @Nullable CancelToken parent;

  /** Tells why it was cancelled, if there is anything to tell. */
  private final @Nullable Supplier<? extends @Nullable Throwable> reason;

  /** Its place in the list of its parent. */
  private final Below link = new Below(this);

  private final LinkList waiting = new LinkList();
  private volatile boolean cancelled;

  private CancelToken(
      @Nullable CancelToken parent, @Nullable Supplier<? extends @Nullable Throwable> reason) {
    this.parent = parent;
    this.reason = reason;
  }

  /** A token whose {@link CancelledException}s have a cause, if {@code reason} knows one. */
  static CancelToken withReason(Supplier<? extends @Nullable Throwable> reason) {
    return new CancelToken(null, reason);
  }

  /** A token that stands for itself. */
  public static CancelToken create() {
    return new CancelToken(null, null);
  }

  /** A token that is cancelled together with this one, and may be cancelled alone. */
  public CancelToken child() {
    return new CancelToken(this, null);
  }

  /** Whether this token or one above it has been cancelled. */
  public boolean isCancelled() {
    for (CancelToken t = this; t != null; t = t.parent) {
      if (t.cancelled) {
        return true;
      }
    }
    return false;
  }

  /**
   * For loops that compute.
   *
   * @throws CancelledException if this token or one above it has been cancelled
   */
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw exception("the token was cancelled");
    }
  }

  /** What those who wait are told: with the reason of this token or the next one above. */
  CancelledException exception(String message) {
    var exception = new CancelledException(message);
    for (CancelToken t = this; t != null; t = t.parent) {
      if (t.reason != null) {
        Throwable cause = t.reason.get();
        if (cause != null) {
          exception.initCause(cause);
        }
        break;
      }
    }
    return exception;
  }

  /**
   * Cancels this token and all below it, and wakes those who wait.
   *
   * @return whether this call was the one that did; false if the token was cancelled already
   */
  public boolean cancel() {
    if (isCancelled()) {
      return false;
    }
    StackRoom.forCalls();
    var toRun = new CancelCallback.Chain();
    boolean first;
    // A direct task keeps its worker: workers take these locks too, in polls.
    boolean pinned = CarrierAccess.pin();
    try {
      first = cancelAll(toRun);
    } finally {
      if (pinned) {
        CarrierAccess.unpin();
      }
    }
    toRun.run();
    return first;
  }

  private boolean cancelAll(CancelCallback.Chain toRun) {
    var toTell = new LinkList();
    if (!end(toTell)) {
      return false;
    }
    for (Link link = toTell.takeMoved(); link != null; link = toTell.takeMoved()) {
      if (link instanceof Below below) {
        below.token.end(toTell);
      } else if (link instanceof CancelCallback callback) {
        toRun.add(callback);
      } else {
        ((CancelWait) link).wake();
      }
    }
    return true;
  }

  /** Ends when this token or one above it is cancelled. */
  @CheckReturnValue
  public UncheckedFuture<Done> cancelled() {
    return new CancelWait(this);
  }

  /**
   * Runs an action when this token or one above it is cancelled; at once, on the calling thread, if
   * that has happened. For what knows nothing of futures: closing a socket, stopping a computation
   * of another library.
   *
   * {@snippet :
   * try (var _ = token.onCancel(query::abort)) {
   *   query.run(); // ends early when somebody cancels the token
   * }
   * }
   *
   * @param action runs once at most, on the thread that cancels, after all waiters have been woken;
   *     keep it short. What it throws reaches the uncaught handler, and others still run.
   * @return closing it takes the action back: it does not start after that, but may be under way
   */
  public Registration onCancel(Runnable action) {
    StackRoom.forStep();
    var callback = new CancelCallback(this, action);
    if (!enlist(callback)) {
      callback.runOnce();
    }
    return callback;
  }

  /** An action that waits for a cancellation, until it is closed. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    /** Takes the action back, unless it has begun. Never throws; again does nothing. */
    @Override
    void close();
  }

  /**
   * Runs {@code future} until this token is cancelled; then the future is dropped and a {@link
   * CancelledException} thrown. A value from the poll during which the token was cancelled still
   * wins.
   *
   * {@snippet :
   * TcpStream stream = stop.guard(listener.accept()).await(); // until somebody cancels stop
   * }
   */
  @CheckReturnValue
  public <T> Future<T> guard(Future<T> future) {
    return new GuardedFuture<>(this, future);
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> IoFuture<T> guard(IoFuture<T> future) {
    return Futures.io(new GuardedFuture<>(this, future));
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> UncheckedFuture<T> guard(UncheckedFuture<T> future) {
    return Futures.unchecked(new GuardedFuture<>(this, future));
  }

  // --- The protocol ---

  /** Has {@code link} told of the cancellation; false if that has happened. */
  boolean enlist(Link link) {
    CancelToken locked = null; // the highest
    try {
      CancelToken top = this;
      for (; ; top = top.parent) {
        if (locked == null) {
          top.waiting.lock();
        } else {
          top.waiting.lockInside();
        }
        locked = top;
        if (top.cancelled || !top.waiting.isEmpty() || top.parent == null) {
          break;
        }
      }
      if (top.cancelled) {
        for (CancelToken t = this; t != top; t = Objects.requireNonNull(t.parent)) {
          t.cancelled = true;
        }
        return false;
      }
      Link below = link;
      for (CancelToken t = this; ; t = Objects.requireNonNull(t.parent)) {
        t.waiting.add(below);
        if (t == top) {
          return true;
        }
        below = t.link;
      }
    } finally {
      unlockUpTo(locked);
    }
  }

  /** Forgets a link; one that was told already is not here any more. */
  void delist(Link link) {
    CancelToken locked = null; // the highest
    try {
      Link below = link;
      for (CancelToken t = this; t != null; t = t.parent) {
        t.waiting.lockInside(); // end() has the lock of the one below even here
        locked = t;
        if (!t.waiting.remove(below) || !t.waiting.isEmpty()) {
          return;
        }
        below = t.link;
      }
    } finally {
      unlockUpTo(locked);
    }
  }

  /** Gives back the locks of this token and those above it. */
  private void unlockUpTo(@Nullable CancelToken highest) {
    if (highest != null) {
      for (CancelToken t = this; t != null; t = t == highest ? null : t.parent) {
        t.waiting.unlock();
      }
    }
  }

  /** The lock that guards the wakers of those who wait. */
  LinkList lock() {
    return waiting;
  }

  private boolean end(LinkList toTell) {
    waiting.lock();
    try {
      if (cancelled) {
        return false;
      }
      cancelled = true;
      if (!waiting.isEmpty()) {
        waiting.moveAllTo(toTell);
        if (parent != null) {
          parent.delist(this.link);
        }
      }
      return true;
    } finally {
      waiting.unlock();
    }
  }

  /** Whether somebody waits here or below; for tests. */
  boolean hasWaiters() {
    return !waiting.isEmptyNow();
  }

  @Override
  public String toString() {
    return isCancelled() ? "CancelToken[cancelled]" : "CancelToken[active]";
  }

  /** A token below another, as that one's list knows it. */
  private static final class Below extends Link {
    private final CancelToken token;

    Below(CancelToken token) {
      this.token = token;
    }
  }
}
