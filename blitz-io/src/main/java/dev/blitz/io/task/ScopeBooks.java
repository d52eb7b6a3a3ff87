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
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The books of a scope: its children, who waits for their end, and whether it was cancelled. */
/* Implementation notes
 *
 * Everything is guarded by `lock`; nothing is called under it but the lists. Calls that go out (cancel a child,
 * wake those who wait, cancel the token) are made afterwards by the thread that decided on them.
 *
 * A child that ends, a cancel and a drop take no memory: there may be none, and what they count and whom they tell
 * would be lost. So nobody is copied; who is to be told is found one by one, each under the lock and called outside
 * of it. Children stay in the list, in the order of their spawns, until they end: `untold` goes from one to the next.
 *
 * A child is counted and linked before it is spawned, so a scope cannot become idle between the two, and its end
 * finds it linked. The spawner writes the child's task and looks at `cancelled` under one lock: either it
 * sees the flag and cancels the task, or the canceller sees the task.
 *
 *   field     | written by                       | meaning
 *   running   | spawn, childEnded, ScopeRoom     | places taken: by children, and granted to one who spawns
 *   children  | spawn, childEnded                | those children; one that is being spawned may lack its task
 *   untold    | cancel, childEnded               | the first child that is to be told to end; null before a cancel, and after it
 *   idlers    | ScopeIdle; end of the last child | those who wait for running == 0
 *   seekers   | ScopeRoom; who gives up a place  | those who wait for running < limit, in order: a place that becomes
 *             |                                  | free is handed to the first and stays counted, so nobody overtakes
 *   seeking   | with seekers                     | how many they are
 *   failed    | childEnded                       | failed children in the order of their ends; they have left `children`
 *   failures  | with failed                      | how many they are
 *   all       | spawn                            | all children in the order of their spawns, when collecting
 *   cancelled | cancel, first failure, closing   | no new children; old ones have been or are being cancelled
 *   unjoined  | spawn; ScopeIdle                 | nobody has waited for the children since the last spawn
 *   closed    | close, within                    | no new children, for good
 */
final class ScopeBooks {
  private final ScopePolicy policy;

  /** The scoped values that children see; null for none. */
  final ScopedValue.@Nullable Carrier bindings;

  private final CancelToken token = CancelToken.withReason(this::reason);
  private final PinnedLock lock = new PinnedLock();
  private final LinkList children = new LinkList();
  private @Nullable Link untold;
  private final LinkList idlers = new LinkList();
  private final LinkList seekers = new LinkList();
  private final LinkList failed = new LinkList();
  private final List<JoinCell<?>> all = new ArrayList<>(0);
  private int running;
  private int seeking;
  private int failures;
  private boolean cancelled;
  private boolean closed;
  private boolean unjoined;

  ScopeBooks(ScopePolicy policy) {
    this.policy = policy;
    this.bindings = policy.bindings();
  }

  // --- Children ---

  /**
   * Counts and links a child that is about to be spawned.
   *
   * @param room has been granted a place, which the child takes over; null if there is none yet
   * @return false if there is no place
   */
  boolean add(ScopeChild<?> child, @Nullable ScopeRoom room) {
    Waker next = null;
    lock.lock();
    try {
      if (!closed && !cancelled) {
        if (room != null) {
          room.granted = false; // the child has the place now
        } else if (!takePlace()) {
          return false;
        }
        children.add(child);
        unjoined = true;
        return true;
      }
      if (room != null) {
        room.granted = false;
        next = giveBackPlace();
      }
    } finally {
      lock.unlock();
    }
    tellOfPlace(next);
    throw refusal();
  }

  private boolean takePlace() {
    if (running >= policy.limit()) {
      return false;
    }
    running++;
    return true;
  }

  private RuntimeException refusal() {
    String message = this + " takes no new tasks";
    return isClosed()
        ? new IllegalStateException(
            message + ": it was closed or drained; spawn before that, or open another scope")
        : token.exception(message);
  }

  /** Whether {@code seeker} has a place now; otherwise it will be woken. */
  boolean awaitRoom(ScopeRoom seeker, Waker waker) {
    lock.lock();
    try {
      if (seeker.granted) {
        return true;
      }
      if (!closed && !cancelled) {
        if (!seeker.isLinked() && takePlace()) {
          seeker.granted = true;
          return true;
        }
        if (!seeker.isLinked()) {
          refuseIfAllWait(seeker);
          seekers.add(seeker);
          seeking++;
        }
        seeker.waker = waker;
        return false;
      }
      leaveSeekers(seeker);
    } finally {
      lock.unlock();
    }
    throw refusal();
  }

  /**
   * Under the lock: children that all wait for room in their own scope would wait for each other
   * for ever, so the last one is told.
   */
  private void refuseIfAllWait(ScopeRoom newcomer) {
    if (newcomer.seeker == null || seeking + 1 < running) {
      return;
    }
    Set<JoinCell<?>> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
    waiting.add(newcomer.seeker);
    for (Link l = seekers.first(); l != null; l = l.following()) {
      JoinCell<?> seeker = ((ScopeRoom) l).seeker;
      if (seeker != null) {
        waiting.add(seeker);
      }
    }
    int stuck = 0;
    for (Link l = children.first(); l != null; l = l.following()) {
      JoinCell<?> task = ((ScopeChild<?>) l).task;
      stuck += task != null && waiting.contains(task) ? 1 : 0;
    }
    if (stuck == running) {
      throw new IllegalStateException(
          "all "
              + running
              + " children of a scope with a limit wait for room in it, each for the others: spawn from"
              + " outside, or into another scope");
    }
  }

  private void leaveSeekers(ScopeRoom seeker) {
    if (seekers.remove(seeker)) {
      seeking--;
    }
  }

  /** It waits no more; a place that it was granted goes to the next. */
  void stopAwaitingRoom(ScopeRoom seeker) {
    StackRoom.forCalls(); // also to wake that one
    Waker next = null;
    lock.lock();
    try {
      leaveSeekers(seeker);
      if (seeker.granted) {
        seeker.granted = false;
        next = giveBackPlace();
      }
    } finally {
      lock.unlock();
    }
    tellOfPlace(next);
  }

  /**
   * Under the lock: hands a place to the first who waits for one, or counts it as free.
   *
   * @return for {@link #tellOfPlace}
   */
  private @Nullable Waker giveBackPlace() {
    if (!closed && !cancelled && seekers.first() instanceof ScopeRoom first) {
      leaveSeekers(first);
      first.granted = true;
      return first.waker;
    }
    running--;
    return firstIdler();
  }

  /** A place was given back, or was the last one: {@code next} hears of it, and the others. */
  private void tellOfPlace(@Nullable Waker next) {
    for (Waker waker = next; waker != null; waker = takeIdler()) {
      SafeCalls.wake(waker);
    }
  }

  /** The failures of children that have cancelled the others; null if it was not that. */
  private @Nullable Throwable reason() {
    return ScopeFailures.all(failures());
  }

  /**
   * For a child that ends as cancelled; null if the scope has not cancelled its children because of
   * failures.
   */
  @Nullable Supplier<? extends @Nullable Throwable> cancelReason() {
    lock.lock();
    try {
      return cancelled && failures > 0 ? this::reason : null;
    } finally {
      lock.unlock();
    }
  }

  CancelledException cancelledException() {
    return token.exception(this + " was cancelled");
  }

  /**
   * It has been spawned as {@code task}.
   *
   * @return whether the scope was cancelled meanwhile: the caller must cancel the task
   */
  boolean began(ScopeChild<?> child, JoinCell<?> task) {
    lock.lock();
    try {
      child.task = task;
      if (policy.collects()) {
        all.add(task);
      }
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  void neverBegan(ScopeChild<?> child) {
    Waker next;
    lock.lock();
    try {
      if (!leaves(child)) {
        return; // it has run all the same, and given its place back
      }
      next = giveBackPlace();
    } finally {
      lock.unlock();
    }
    tellOfPlace(next);
  }

  /** Under the lock; false if it has left before. */
  private boolean leaves(ScopeChild<?> child) {
    if (child.ended) {
      return false;
    }
    child.ended = true;
    if (untold == child) {
      untold = child.following();
    }
    return children.remove(child);
  }

  void childEnded(ScopeChild<?> child) {
    JoinCell<?> task = child.task();
    Throwable failure = policy.collects() ? null : task.peekFailure();
    boolean echo = false;
    boolean tell = false;
    boolean cancels = false;
    Waker next = null;
    lock.lock();
    try {
      if (!leaves(child)) {
        return;
      }
      if (cancelled && failure instanceof CancellationException) {
        echo = true; // it had waited for something that the scope cancelled
      } else if (failure != null && policy.supervises()) {
        tell = true;
      } else if (failure != null) {
        failed.add(child);
        failures++;
      }
      if (failures >= policy.failAfter() || (task.endedCancelled() && task.isRuntimeClosing())) {
        cancels = beginCancel();
      }
      if (!tell) {
        next = giveBackPlace();
      }
    } finally {
      lock.unlock();
    }
    try {
      if (echo) {
        task.takeUnseenFailure(); // nobody has to hear of it
      }
      if (cancels) {
        cancelAll();
      }
      if (tell && failure != null) {
        policy.tell(task, failure);
      }
    } finally {
      // Only now, if somebody was told: who waits for the end finds that done.
      tellOfPlace(tell ? takeBackPlace() : next);
    }
  }

  private @Nullable Waker takeBackPlace() {
    lock.lock();
    try {
      return giveBackPlace();
    } finally {
      lock.unlock();
    }
  }

  boolean isChild(JoinCell<?> task) {
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

  int count() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  ScopePolicy policy() {
    return policy;
  }

  /** The failed children, in the order of their ends. */
  List<JoinCell<?>> failures() {
    lock.lock();
    try {
      List<JoinCell<?>> tasks = new ArrayList<>(failures);
      for (Link l = failed.first(); l != null; l = l.following()) {
        tasks.add(((ScopeChild<?>) l).task());
      }
      return tasks;
    } finally {
      lock.unlock();
    }
  }

  /** All children of a collecting scope, which must have ended. */
  List<JoinCell<?>> allEnded() {
    if (!policy.collects()) {
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
  boolean awaitIdle(ScopeIdle waiter, Waker waker, boolean closing) {
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

  void stopAwaitingIdle(ScopeIdle waiter) {
    lock.lock();
    try {
      idlers.remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock: takes out one who waits for the end, if there is nothing to wait for. */
  private @Nullable Waker firstIdler() {
    return running == 0 && idlers.takeFirst() instanceof ScopeIdle idler ? idler.waker : null;
  }

  private @Nullable Waker takeIdler() {
    lock.lock();
    try {
      return firstIdler();
    } finally {
      lock.unlock();
    }
  }

  // --- Cancelling ---

  /** False if they have been before. */
  boolean cancelChildren(boolean close) {
    StackRoom.forMany();
    boolean first;
    lock.lock();
    try {
      closed |= close;
      first = beginCancel();
    } finally {
      lock.unlock();
    }
    cancelAll(); // also what an error has kept the first one from
    return first;
  }

  /** Takes no more children, for good; those there are go on. */
  void stopTaking() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    refuseSeekers();
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The children that have begun and not ended. */
  List<JoinCell<?>> children() {
    lock.lock();
    try {
      List<JoinCell<?>> copy = new ArrayList<>(running);
      for (Link l = children.first(); l != null; l = l.following()) {
        JoinCell<?> task = ((ScopeChild<?>) l).task;
        if (task != null) {
          copy.add(task);
        }
      }
      return copy;
    } finally {
      lock.unlock();
    }
  }

  /** Under the lock; false if it has begun before. No child is added any more. */
  private boolean beginCancel() {
    if (cancelled) {
      return false;
    }
    cancelled = true;
    untold = children.first();
    return true;
  }

  /** What one of them throws is thrown when all have been told; the next cancel tells all again. */
  private void cancelAll() {
    Throwable failed = null;
    for (JoinCell<?> child = takeUntold(); child != null; child = takeUntold()) {
      try {
        child.cancel();
      } catch (RuntimeException | Error e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      tellAgain();
    }
    try {
      token.cancel();
    } finally {
      refuseSeekers();
    }
    SafeCalls.rethrow(failed);
  }

  /** One that is being spawned is passed over: it will see the flag. */
  private @Nullable JoinCell<?> takeUntold() {
    lock.lock();
    try {
      JoinCell<?> task = null;
      while (task == null && untold instanceof ScopeChild<?> child) {
        untold = child.following();
        task = child.task;
      }
      return task;
    } finally {
      lock.unlock();
    }
  }

  /** Not now, but by who cancels next. */
  private void tellAgain() {
    lock.lock();
    try {
      untold = children.first();
    } finally {
      lock.unlock();
    }
  }

  /** Those who wait for room will be refused. */
  private void refuseSeekers() {
    for (Waker seeker = takeSeeker(); seeker != null; seeker = takeSeeker()) {
      SafeCalls.wake(seeker);
    }
  }

  private @Nullable Waker takeSeeker() {
    lock.lock();
    try {
      if (seekers.first() instanceof ScopeRoom seeker) {
        leaveSeekers(seeker);
        return seeker.waker;
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The limit of a join has passed. */
  Done expire(JoinLimit limit, boolean passed) {
    StackRoom.forMany();
    lock.lock();
    try {
      if (limit.over || running == 0 || cancelled) {
        return Done.DONE;
      }
      beginCancel();
      limit.cancelled = running;
      limit.passed = passed;
    } finally {
      lock.unlock();
    }
    cancelAll();
    return Done.DONE;
  }

  /** The join is over. */
  void end(JoinLimit limit) {
    lock.lock();
    try {
      limit.over = true;
    } finally {
      lock.unlock();
    }
  }

  /** How many children a close would cancel that nobody has waited for. */
  int unjoined() {
    lock.lock();
    try {
      return unjoined && !cancelled ? running : 0;
    } finally {
      lock.unlock();
    }
  }

  boolean wasCancelled() {
    lock.lock();
    try {
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  CancelToken token() {
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
