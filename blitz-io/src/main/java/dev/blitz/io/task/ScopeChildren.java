package dev.blitz.io.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The books of a scope: its children, who waits for their end, and whether it was cancelled. */
/* Implementation notes
 *
 * Everything is guarded by `lock`; nothing is called under it but the lists. Calls that go out (cancel a child,
 * wake those who wait, cancel the token) are made afterwards by the thread that decided on them.
 *
 * A child is counted and linked before it is spawned, so a scope cannot become idle between the two, and its end
 * finds it linked. The spawner writes the child's task and looks at `cancelled` under one lock: either it
 * sees the flag and cancels the task, or the canceller sees the task.
 *
 *   field     | written by                       | meaning
 *   running   | spawn, childEnded                | children that were counted and have not ended
 *   children  | spawn, childEnded                | the same children; one that is being spawned may lack its task
 *   idlers    | ScopeIdle; end of the last child | those who wait for running == 0
 *   failed    | childEnded                       | failed children in the order of their ends, not when collecting
 *   all       | spawn                            | all children in the order of their spawns, when collecting
 *   cancelled | cancel, first failure, closing   | no new children; old ones have been or are being cancelled
 *   unjoined  | spawn; ScopeIdle                 | nobody has waited for the children since the last spawn
 *   closed    | close, within                    | no new children, for good
 */
abstract sealed class ScopeChildren permits TaskScope {
  private final boolean collecting;
  private final CancelToken token = CancelToken.withReason(this::reason);
  private final PinnedLock lock = new PinnedLock();
  private final LinkList children = new LinkList();
  private final LinkList idlers = new LinkList();
  private final List<JoinCell<?>> failed = new ArrayList<>(0);
  private final List<JoinCell<?>> all = new ArrayList<>(0);
  private int running;
  private boolean cancelled;
  private boolean closed;
  private boolean unjoined;

  ScopeChildren(boolean collecting) {
    this.collecting = collecting;
  }

  // --- Children ---

  /** Counts and links a child that is about to be spawned. */
  final void add(ScopeChild<?> child) {
    boolean late;
    lock.lock();
    try {
      late = closed;
      if (!closed && !cancelled) {
        running++;
        children.add(child);
        unjoined = true;
        return;
      }
    } finally {
      lock.unlock();
    }
    String message = this + " takes no new tasks";
    throw late ? new IllegalStateException(message) : token.exception(message);
  }

  /** The failure of a child that has cancelled the others; null if it was not that. */
  private @Nullable Throwable reason() {
    JoinCell<?> first;
    lock.lock();
    try {
      if (failed.isEmpty()) {
        return null;
      }
      first = failed.getFirst();
    } finally {
      lock.unlock();
    }
    Throwable cause = first.peekFailure();
    return cause == null ? null : TaskScope.failed(first, cause);
  }

  final CancelledException cancelledException() {
    return token.exception(this + " was cancelled");
  }

  /**
   * It has been spawned as {@code task}.
   *
   * @return whether the scope was cancelled meanwhile: the caller must cancel the task
   */
  final boolean began(ScopeChild<?> child, JoinCell<?> task) {
    lock.lock();
    try {
      child.task = task;
      if (collecting) {
        all.add(task);
      }
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  final void neverBegan(ScopeChild<?> child) {
    var toWake = new ArrayList<Waker>();
    lock.lock();
    try {
      children.remove(child);
      running--;
      takeIdlers(toWake);
    } finally {
      lock.unlock();
    }
    wakeAll(toWake);
  }

  final void childEnded(ScopeChild<?> child) {
    JoinCell<?> task = child.task();
    Throwable failure = collecting ? null : task.peekFailure();
    boolean echo = false;
    List<JoinCell<?>> siblings = null;
    var toWake = new ArrayList<Waker>();
    lock.lock();
    try {
      if (!children.remove(child)) {
        return;
      }
      running--;
      if (cancelled && failure instanceof CancellationException) {
        echo = true; // it had waited for something that the scope cancelled
      } else if (failure != null) {
        failed.add(task);
      }
      if (!cancelled && (failure != null || (task.endedCancelled() && task.isHostClosing()))) {
        cancelled = true;
        siblings = copyOfChildren();
      }
      takeIdlers(toWake);
    } finally {
      lock.unlock();
    }
    if (echo) {
      task.outcome(); // counts as seen: nobody has to hear of it
    }
    if (siblings != null) {
      cancelAll(siblings);
    }
    wakeAll(toWake);
  }

  final boolean isChild(JoinCell<?> task) {
    lock.lock();
    try {
      for (Link l = children.first(); l != null; l = l.following()) {
        if (((ScopeChild<?>) l).task == task) {
          return true;
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  final int count() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  final boolean collects() {
    return collecting;
  }

  /** The failed children, in the order of their ends. */
  final List<JoinCell<?>> failures() {
    lock.lock();
    try {
      return List.copyOf(failed);
    } finally {
      lock.unlock();
    }
  }

  /** All children of a collecting scope, which must have ended. */
  final List<JoinCell<?>> allEnded() {
    if (!collecting) {
      throw new IllegalStateException("only a collecting scope keeps outcomes");
    }
    lock.lock();
    try {
      if (running > 0) {
        throw new IllegalStateException(this + ": wait for joined() first");
      }
      return List.copyOf(all);
    } finally {
      lock.unlock();
    }
  }

  // --- Waiting ---

  /** Whether no child is left; otherwise {@code waiter} will be woken. */
  final boolean awaitIdle(ScopeIdle waiter, Waker waker, boolean closing) {
    lock.lock();
    try {
      unjoined = false;
      if (running == 0) {
        closed |= closing;
        idlers.remove(waiter);
        if (waiter.limit != null) {
          waiter.limit.over = true;
        }
        return true;
      }
      waiter.waker = waker;
      if (!waiter.isLinked()) {
        idlers.add(waiter);
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  final void stopAwaitingIdle(ScopeIdle waiter) {
    lock.lock();
    try {
      idlers.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the waiters out and notes their wakers, under the lock. Wakers and not waiters: a waiter
   * may be polled and linked again before it is woken here.
   */
  private void takeIdlers(List<Waker> toWake) {
    if (running == 0) {
      for (Link l = idlers.first(); l != null; l = idlers.first()) {
        idlers.remove(l);
        Waker waker = ((ScopeIdle) l).waker;
        if (waker != null) {
          toWake.add(waker);
        }
      }
    }
  }

  private static void wakeAll(List<Waker> idlers) {
    idlers.forEach(SafeCalls::wake);
  }

  // --- Cancelling ---

  final boolean cancelChildren(boolean close) {
    StackRoom.forMany();
    List<JoinCell<?>> toCancel;
    lock.lock();
    try {
      closed |= close;
      if (cancelled) {
        return false;
      }
      cancelled = true;
      toCancel = copyOfChildren();
    } finally {
      lock.unlock();
    }
    cancelAll(toCancel);
    return true;
  }

  /** Those that are being spawned may be missing: their spawners will see the flag. */
  private List<JoinCell<?>> copyOfChildren() {
    List<JoinCell<?>> copy = new ArrayList<>(running);
    for (Link l = children.first(); l != null; l = l.following()) {
      JoinCell<?> task = ((ScopeChild<?>) l).task;
      if (task != null) {
        copy.add(task);
      }
    }
    return copy;
  }

  private void cancelAll(List<JoinCell<?>> toCancel) {
    toCancel.forEach(JoinCell::cancel);
    token.cancel();
  }

  /** The limit of a join has passed. */
  final Done expire(JoinLimit limit) {
    StackRoom.forMany();
    List<JoinCell<?>> toCancel;
    lock.lock();
    try {
      if (limit.over || running == 0 || cancelled) {
        return Done.DONE;
      }
      limit.passed = true;
      cancelled = true;
      toCancel = copyOfChildren();
    } finally {
      lock.unlock();
    }
    cancelAll(toCancel);
    return Done.DONE;
  }

  /** The join is over; whether its limit has passed before. */
  final boolean end(JoinLimit limit) {
    lock.lock();
    try {
      limit.over = true;
      return limit.passed;
    } finally {
      lock.unlock();
    }
  }

  /** How many children a close would cancel that nobody has waited for. */
  final int unjoined() {
    lock.lock();
    try {
      return unjoined && !cancelled ? running : 0;
    } finally {
      lock.unlock();
    }
  }

  final boolean wasCancelled() {
    lock.lock();
    try {
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  final CancelToken childrensToken() {
    return token;
  }

  @Override
  public String toString() {
    lock.lock();
    try {
      String state = closed ? "closed" : cancelled ? "cancelled" : "open";
      return "TaskScope[" + state + ", " + running + " running]";
    } finally {
      lock.unlock();
    }
  }
}
