package dev.blitz.io.task;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.Link;
import dev.blitz.io.internal.task.LinkList;
import dev.blitz.io.internal.task.PinnedLock;
import dev.blitz.io.internal.task.SafeCalls;
import dev.blitz.io.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A block whose tasks all end before it does.
 *
 * <p>In a scope that was {@linkplain #open() opened} the first failure of a child cancels the
 * others; a {@linkplain #collecting() collecting} scope lets them go on and keeps every outcome.
 * Children may spawn further children while the scope is open.
 *
 * <p>Inside tasks use {@link #within}: it is a future, so it can wait for the children.
 *
 * {@snippet :
 * Future<Page> page = TaskScope.within(scope -> {
 *   JoinHandle<User> user = scope.spawn(fetchUser(id));
 *   JoinHandle<Posts> posts = scope.spawn(fetchPosts(id));
 *   return Futures.join(user, posts).map(both -> new Page(both.first(), both.second()));
 * });
 * }
 *
 * <p>Threads outside the runtime, and blocking tasks, may use a try block instead:
 *
 * {@snippet :
 * try (TaskScope scope = TaskScope.open(runtime)) {
 *   JoinHandle<User> user = scope.spawn(fetchUser(id));
 *   JoinHandle<Posts> posts = scope.spawn(fetchPosts(id));
 *   scope.joined().await();
 *   return new Page(user.await(), posts.await());
 * }
 * }
 *
 * <p>A child counts as failed if it threw. One that was cancelled by its own handle is no failure:
 * the handle says so. A failure that neither {@link #joined()}, {@link #outcomes()} nor the child's
 * handle has shown to anybody reaches the uncaught handler, as for every task.
 *
 * <p>Thread safe. What a child does happens before the end of {@link #joined()}, {@link #close()}
 * and {@link #within}. A scope holds its running children; a collecting one all.
 */
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
 *   timedOut  | the alarm of join(limit)         | that was why it was cancelled
 *   closed    | close, within                    | no new children, for good
 */
public final class TaskScope implements AutoCloseable {
  private final BlitzRuntime runtime;
  private final boolean collecting;
  private final CancelToken token = CancelToken.create();
  private final PinnedLock lock = new PinnedLock();
  private final LinkList children = new LinkList();
  private final LinkList idlers = new LinkList();
  private final List<JoinCell<?>> failed = new ArrayList<>(0);
  private final List<JoinCell<?>> all = new ArrayList<>(0);
  private int running;
  private boolean cancelled;
  private boolean closed;
  private volatile boolean timedOut;

  TaskScope(BlitzRuntime runtime, boolean collecting) {
    this.runtime = Objects.requireNonNull(runtime, "runtime");
    this.collecting = collecting;
  }

  /**
   * A scope of the current runtime whose first failure cancels the other children.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static TaskScope open() {
    return open(BlitzRuntime.current());
  }

  /** A scope whose children run on {@code runtime}; the first failure cancels the others. */
  public static TaskScope open(BlitzRuntime runtime) {
    return new TaskScope(runtime, false);
  }

  /**
   * A scope of the current runtime that lets every child go on and keeps how each ended.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static TaskScope collecting() {
    return collecting(BlitzRuntime.current());
  }

  /** A collecting scope whose children run on {@code runtime}. */
  public static TaskScope collecting(BlitzRuntime runtime) {
    return new TaskScope(runtime, true);
  }

  /**
   * Runs {@code body} with a scope of the current runtime and ends only when all children have
   * ended. The body is part of the scope: it is polled by the surrounding task, and
   *
   * <ul>
   *   <li>if it yields a value, the scope waits for its children, then yields the value; a body
   *       that does not want to wait calls {@link #cancel()} first;
   *   <li>if it throws, the children are cancelled and waited for, then the failure is thrown, with
   *       those of the children suppressed;
   *   <li>if a child fails, the body is dropped, the other children are cancelled and waited for,
   *       then a {@link TaskFailedException} is thrown, with further failures suppressed;
   *   <li>if the scope is cancelled before the body has ended, the body is dropped, the children
   *       are waited for, then a {@link CancelledException} is thrown.
   * </ul>
   *
   * <p>A drop cannot wait: it drops the body and cancels the children, which end soon by
   * themselves. They stay tasks of the runtime, and its close waits for them.
   */
  @CheckReturnValue
  public static <T> Future<T> within(
      ThrowingFunction<? super TaskScope, ? extends Future<? extends T>> body) {
    return new WithinFuture<>(body, false);
  }

  /** As {@link #within}, with a collecting scope: no failure of a child disturbs the others. */
  @CheckReturnValue
  public static <T> Future<T> withinCollecting(
      ThrowingFunction<? super TaskScope, ? extends Future<? extends T>> body) {
    return new WithinFuture<>(body, true);
  }

  // --- Children ---

  /**
   * Starts a child that runs {@code future}.
   *
   * @throws CancelledException if the scope was cancelled, by a call or by the failure of a child
   * @throws IllegalStateException if the scope is closed
   * @throws java.util.concurrent.RejectedExecutionException if the runtime is closed
   */
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    Objects.requireNonNull(future, "future");
    return adopt(new ScopeChild<T>(this, future), runtime::spawn);
  }

  /** As {@link #spawn(Future)}, with a name for dumps and logs. */
  public <T> JoinHandle<T> spawn(String name, Future<? extends T> future) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(future, "future");
    return adopt(new ScopeChild<T>(this, future), child -> runtime.spawn(name, child));
  }

  /** Starts a child that is a direct task; otherwise as {@link #spawn(Future)}. */
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(body, "body");
    return adopt(new ScopeChild<T>(this, body), child -> runtime.spawn(child.body()));
  }

  /** Starts a child that is a direct task with a name. */
  public <T> JoinHandle<T> spawn(String name, ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(body, "body");
    return adopt(new ScopeChild<T>(this, body), child -> runtime.spawn(name, child.body()));
  }

  /** Starts a child that is a direct task without a result. */
  public JoinHandle<Done> spawn(ThrowingRunnable body) {
    Objects.requireNonNull(body, "body");
    return spawn(ThrowingRunnable.asSupplier(body));
  }

  /** Starts a child that is a direct task without a result, with a name. */
  public JoinHandle<Done> spawn(String name, ThrowingRunnable body) {
    Objects.requireNonNull(body, "body");
    return spawn(name, ThrowingRunnable.asSupplier(body));
  }

  /** As {@link #spawn(Future)}, for a call that blocks; cancelling the child interrupts it. */
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(body, "body");
    return adopt(new ScopeChild<T>(this, body), child -> runtime.spawnBlocking(child.body()));
  }

  private <T> JoinHandle<T> adopt(
      ScopeChild<T> child, Function<ScopeChild<T>, JoinHandle<T>> start) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(this + " takes no new tasks");
      }
      if (cancelled) {
        throw new CancelledException(this + " takes no new tasks");
      }
      running++;
      children.add(child);
    } finally {
      lock.unlock();
    }
    JoinHandle<T> handle;
    try {
      handle = start.apply(child);
    } catch (Throwable t) {
      childNeverBegan(child);
      throw t;
    }
    var task = (JoinCell<T>) handle;
    boolean late;
    lock.lock();
    try {
      child.task = task;
      if (collecting) {
        all.add(task);
      }
      late = cancelled;
    } finally {
      lock.unlock();
    }
    if (!task.wakeAtEnd(child)) {
      child.wake();
    }
    if (late) {
      task.cancel();
    }
    return handle;
  }

  private void childNeverBegan(ScopeChild<?> child) {
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

  void childEnded(ScopeChild<?> child) {
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
      finishCancel(siblings);
    }
    wakeAll(toWake);
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

  /** How many children have not ended. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  // --- Waiting ---

  /**
   * Ends when no child is left. If children have failed it throws a {@link TaskFailedException} for
   * the first one, with the others suppressed; if the scope was cancelled without a failure, a
   * {@link CancelledException}. A collecting scope yields Done in all cases. May be called and
   * waited for any number of times, but not by a child, which would wait for itself.
   */
  @CheckReturnValue
  public UncheckedFuture<Done> joined() {
    return new ScopeIdle(this, false)
        .map(done -> {
          throwFailures();
          throwIfCancelled();
          return done;
        });
  }

  /**
   * Waits for {@link #joined()} on the calling thread, which must not be a worker inside a poll.
   */
  public void join() {
    joined().await();
  }

  /**
   * Waits until no child is left, for at most {@code limit} of the runtime's clock. When that
   * passes, the children are cancelled and waited for.
   *
   * @throws TimeoutException if the limit passed before the last child ended, and none had failed
   * @throws TaskFailedException if a child failed, as {@link #joined()} does
   * @throws CancelledException if the scope was cancelled otherwise, or the calling thread or task
   *     is interrupted or cancelled meanwhile
   */
  public void join(Duration limit) throws TimeoutException {
    Objects.requireNonNull(limit, "limit");
    JoinHandle<Done> alarm = runtime.spawn(Time.sleep(limit).map(done -> expire(done)));
    try {
      new ScopeIdle(this, false).await();
    } finally {
      alarm.cancel();
    }
    throwFailures();
    if (timedOut) {
      throw new TimeoutException("the limit of " + limit + " passed before the tasks had ended");
    }
    throwIfCancelled();
  }

  private Done expire(Done done) {
    lock.lock();
    try {
      if (running == 0 || cancelled) {
        return done;
      }
      timedOut = true;
    } finally {
      lock.unlock();
    }
    cancel();
    return done;
  }

  /**
   * How each child of a collecting scope ended, in the order of their spawns.
   *
   * @throws IllegalStateException if children are still running, or the scope does not collect
   */
  public List<Outcome<?>> outcomes() {
    if (!collecting) {
      throw new IllegalStateException("only a collecting scope keeps outcomes");
    }
    List<JoinCell<?>> tasks;
    lock.lock();
    try {
      if (running > 0) {
        throw new IllegalStateException(this + ": wait for joined() first");
      }
      tasks = List.copyOf(all);
    } finally {
      lock.unlock();
    }
    List<Outcome<?>> outcomes = new ArrayList<>(tasks.size());
    tasks.forEach(t -> outcomes.add(t.outcome()));
    return List.copyOf(outcomes);
  }

  /** Once all children have ended: throws the first failure with the others, if there are any. */
  void throwFailures() {
    List<JoinCell<?>> failures;
    lock.lock();
    try {
      failures = List.copyOf(failed);
    } finally {
      lock.unlock();
    }
    if (!failures.isEmpty()) {
      TaskFailedException first = failureOf(failures.getFirst());
      for (JoinCell<?> other : failures.subList(1, failures.size())) {
        first.addSuppressed(failureOf(other));
      }
      throw first;
    }
  }

  private void throwIfCancelled() {
    if (!collecting && isCancelled()) {
      throw new CancelledException(this + " was cancelled");
    }
  }

  /** The exception for one who waits; the failure counts as seen. */
  private static TaskFailedException failureOf(JoinCell<?> task) {
    Throwable cause = ((Outcome.Failure<?>) task.outcome()).cause();
    return new TaskFailedException(task.name() + " failed: " + cause, cause);
  }

  /** Adds the children's failures to the one of the body. */
  void suppressInto(Throwable failure) {
    List<JoinCell<?>> failures;
    lock.lock();
    try {
      failures = List.copyOf(failed);
    } finally {
      lock.unlock();
    }
    for (JoinCell<?> task : failures) {
      TaskFailedException e = failureOf(task);
      if (e.getCause() != failure) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Whether no child is left; otherwise {@code waiter} will be woken. */
  boolean awaitIdle(ScopeIdle waiter, Waker waker, boolean closing) {
    lock.lock();
    try {
      if (running == 0) {
        closed |= closing;
        idlers.remove(waiter);
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

  // --- Cancelling and closing ---

  /**
   * Cancels all children and the body of {@link #within}; later spawns are refused. Does not wait.
   *
   * @return whether this call was the one that did
   */
  public boolean cancel() {
    return cancel(false);
  }

  private boolean cancel(boolean close) {
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
    finishCancel(toCancel);
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

  private void finishCancel(List<JoinCell<?>> toCancel) {
    toCancel.forEach(JoinCell::cancel);
    token.cancel();
  }

  /** Whether the scope was cancelled, by a call, by the failure of a child, or by its close. */
  public boolean isCancelled() {
    lock.lock();
    try {
      return cancelled;
    } finally {
      lock.unlock();
    }
  }

  /** Cancelled together with this scope; for what its children call. */
  public CancelToken token() {
    return token;
  }

  /** Cancels without waiting: for a drop. */
  void abandon() {
    cancel(true);
  }

  /**
   * Ends the scope: takes no more children, cancels those that are left and waits until they have
   * ended, also if the thread is interrupted meanwhile (its interrupt status is kept). Failures are
   * not thrown here: {@link #joined()} does that. Closing again waits again.
   *
   * <p>A worker must not wait. Inside a poll the children that are left are cancelled too, but if
   * there are any, this method throws: use {@link #within}, or poll {@link #joined()} to its end
   * before.
   *
   * @throws IllegalStateException inside a poll if children are left; in a blocking task that is
   *     itself a child, which would wait for itself (nothing is cancelled then)
   */
  @Override
  public void close() {
    JoinCell<?> self = Caller.task();
    if (Caller.isWorker()) {
      cancel(true);
      int left = running();
      if (left > 0) {
        throw new IllegalStateException(
            "close() inside a poll cannot wait for "
                + left
                + " children, which are being cancelled: use TaskScope.within, or poll joined()"
                + " to its end before");
      }
      return;
    }
    if (self != null && isChild(self)) {
      throw new IllegalStateException(
          self.name() + " closes the scope it belongs to: it would wait for itself");
    }
    cancel(true);
    if (running() > 0) {
      try {
        Caller.<Done>shielded(this::awaitChildren);
      } catch (Exception e) {
        throw new IllegalStateException("no checked exception is known here", e);
      }
    }
  }

  private Done awaitChildren() {
    boolean interrupted = false;
    while (running() > 0) {
      try {
        new ScopeIdle(this, true).await();
      } catch (CancelledException e) {
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return Done.DONE;
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
