package dev.blitz.io.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.direct.Direct;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.TaskExtras;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A block whose tasks all end before it does.
 *
 * <p>In a scope that was {@linkplain #open() opened} the first failure of a child cancels the
 * others; a {@linkplain #collecting() collecting} scope lets them go on and keeps every outcome.
 * Children may spawn further children while the scope is open.
 *
 * <p>In a direct task a scope is a try block. The body is not interrupted when a child fails: it
 * learns of that in {@link #join()}, which belongs at the end of the block, or sooner where it
 * spawns or guards a wait with {@link #token()}: the {@link CancelledException} of those has the
 * child's failure as its cause.
 *
 * {@snippet :
 * try (TaskScope scope = TaskScope.open()) {
 *   JoinHandle<User> user = scope.spawn(() -> fetchUser(id));
 *   JoinHandle<Posts> posts = scope.spawn(() -> fetchPosts(id));
 *   scope.join(); // throws what a child threw, in a TaskFailedException
 *   return new Page(user.get(), posts.get());
 * }
 * }
 *
 * <p>Threads outside the runtime, and blocking tasks, do the same with {@code
 * TaskScope.open(runtime)}.
 *
 * <p>A stackless task uses {@link #within}: it is a future, so it can wait for the children.
 *
 * {@snippet :
 * Future<Page> page = TaskScope.within(scope -> {
 *   JoinHandle<User> user = scope.spawn(fetchUser(id));
 *   JoinHandle<Posts> posts = scope.spawn(fetchPosts(id));
 *   return Futures.join(user, posts).map(both -> new Page(both.first(), both.second()));
 * });
 * }
 *
 * <p>A child counts as failed if it threw. One that was cancelled by its own handle is no failure:
 * the handle says so. A failure that neither {@link #joined()}, {@link #outcomes()} nor the child's
 * handle has shown to anybody reaches the uncaught handler, as for every task.
 *
 * <p>Thread safe. What a child does happens before the end of {@link #joined()}, {@link #close()}
 * and {@link #within}. A scope holds its running children; a collecting one all that ever were, so
 * it is not for a server that spawns a child per connection.
 */
public final class TaskScope extends ScopeChildren implements Spawner, AutoCloseable {
  private final Spawner runtime;

  TaskScope(Spawner runtime, boolean collecting) {
    super(collecting);
    if (Objects.requireNonNull(runtime, "runtime") instanceof TaskScope) {
      throw new IllegalArgumentException(
          "a scope needs a runtime, not another scope: open it inside a child of that one");
    }
    this.runtime = runtime;
  }

  /**
   * A scope of the current runtime whose first failure cancels the other children.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static TaskScope open() {
    return open(Caller.spawner("a scope"));
  }

  /** A scope whose children run on {@code runtime}; the first failure cancels the others. */
  public static TaskScope open(Spawner runtime) {
    return new TaskScope(runtime, false);
  }

  /**
   * A scope of the current runtime that lets every child go on and keeps how each ended.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static TaskScope collecting() {
    return collecting(Caller.spawner("a scope"));
  }

  /** A collecting scope whose children run on {@code runtime}. */
  public static TaskScope collecting(Spawner runtime) {
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
  @Override
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    Objects.requireNonNull(future, "future");
    return adopt(new ScopeChild<T>(this, future), runtime::spawn);
  }

  /** Starts a child that is a direct task; otherwise as {@link #spawn(Future)}. */
  @Override
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(body, "body");
    return adopt(new ScopeChild<T>(this, body), child -> runtime.spawn(child.body()));
  }

  /**
   * As {@link #spawn(Future)}, as the options say. If it throws, for example because the scope was
   * cancelled, what the child was to own has been closed.
   */
  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
    return TaskExtras.of(options)
        .passOn(() -> {
          Objects.requireNonNull(future, "future");
          return adopt(new ScopeChild<T>(this, future), child -> runtime.spawn(options, child));
        });
  }

  /** Starts a child that is a direct task; otherwise as {@link #spawn(SpawnOptions, Future)}. */
  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options)
        .passOn(() -> {
          Objects.requireNonNull(body, "body");
          return adopt(
              new ScopeChild<T>(this, body), child -> runtime.spawn(options, child.body()));
        });
  }

  /** As {@link #spawn(Future)}, for a call that blocks; cancelling the child interrupts it. */
  @Override
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(body, "body");
    return adopt(new ScopeChild<T>(this, body), child -> runtime.spawnBlocking(child.body()));
  }

  /** The same, as the options say; otherwise as {@link #spawn(SpawnOptions, Future)}. */
  @Override
  public <T> JoinHandle<T> spawnBlocking(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options)
        .passOn(() -> {
          Objects.requireNonNull(body, "body");
          return adopt(
              new ScopeChild<T>(this, body), child -> runtime.spawnBlocking(options, child.body()));
        });
  }

  private <T> JoinHandle<T> adopt(
      ScopeChild<T> child, Function<ScopeChild<T>, JoinHandle<T>> start) {
    StackRoom.forMany();
    add(child);
    JoinHandle<T> handle;
    JoinCell<T> task;
    try {
      handle = start.apply(child);
      task = JoinCell.of(handle);
    } catch (Throwable t) {
      neverBegan(child);
      throw t;
    }
    boolean late = began(child, task);
    if (!task.wakeAtEnd(child)) {
      child.wake();
    }
    if (late) {
      task.cancel();
    }
    return handle;
  }

  /** How many children have not ended. */
  public int running() {
    return count();
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
   * passes, the children are cancelled and waited for. The exception is the JDK's, as for other
   * waits with a limit on a thread; that of {@link Future#timeout} is another.
   *
   * @throws TimeoutException if the limit passed before the last child ended, and none had failed
   * @throws TaskFailedException if a child failed, as {@link #joined()} does
   * @throws CancelledException if the scope was cancelled otherwise, or the calling thread or task
   *     is interrupted or cancelled meanwhile
   */
  public void join(Duration limit) throws TimeoutException {
    Objects.requireNonNull(limit, "limit");
    var until = new JoinLimit();
    JoinHandle<Done> alarm = runtime.spawn(Task.sleep(limit).map(done -> expire(until)));
    boolean passed;
    try {
      new ScopeIdle(this, until).await();
    } finally {
      passed = end(until);
      alarm.cancel();
    }
    throwFailures();
    if (passed) {
      throw new TimeoutException("the limit of " + limit + " passed before the tasks had ended");
    }
    throwIfCancelled();
  }

  /**
   * How each child of a collecting scope ended, in the order of their spawns.
   *
   * @throws IllegalStateException if children are still running, or the scope does not collect
   */
  public List<Outcome<?>> outcomes() {
    List<JoinCell<?>> tasks = allEnded();
    List<Outcome<?>> outcomes = new ArrayList<>(tasks.size());
    tasks.forEach(t -> outcomes.add(t.outcome()));
    return List.copyOf(outcomes);
  }

  /** Once all children have ended: throws the first failure with the others, if there are any. */
  void throwFailures() {
    List<JoinCell<?>> failures = failures();
    if (!failures.isEmpty()) {
      TaskFailedException first = failureOf(failures.getFirst());
      for (JoinCell<?> other : failures.subList(1, failures.size())) {
        first.addSuppressed(failureOf(other));
      }
      throw first;
    }
  }

  private void throwIfCancelled() {
    if (!collects() && isCancelled()) {
      throw cancelledException();
    }
  }

  /** The exception for one who waits; the failure counts as seen. */
  private static TaskFailedException failureOf(JoinCell<?> task) {
    Throwable cause = ((Outcome.Failure<?>) task.outcome()).cause();
    return failed(task, cause);
  }

  static TaskFailedException failed(JoinCell<?> task, Throwable cause) {
    return new TaskFailedException(task.name() + " failed: " + Telling.of(cause), cause);
  }

  /** Adds the children's failures to the one of the body. */
  void suppressInto(Throwable failure) {
    for (JoinCell<?> task : failures()) {
      Throwable cause = task.peekFailure();
      if (cause == failure) {
        task.outcome(); // counts as seen
      } else if (cause != null && !Telling.suppress(failure, failed(task, cause))) {
        return; // the rest reaches the uncaught handler
      } else {
        task.outcome();
      }
    }
  }

  // --- Cancelling and closing ---

  /**
   * Cancels all children and the body of {@link #within}; later spawns are refused. Does not wait.
   *
   * @return whether this call was the one that did
   */
  public boolean cancel() {
    return cancelChildren(false);
  }

  /** Whether the scope was cancelled, by a call, by the failure of a child, or by its close. */
  public boolean isCancelled() {
    return wasCancelled();
  }

  /** Cancelled together with this scope; for what its children call. */
  public CancelToken token() {
    return childrensToken();
  }

  /** Cancels without waiting: for a drop. */
  void abandon() {
    cancelChildren(true);
  }

  /**
   * Ends the scope: takes no more children, cancels those that are left and waits until they have
   * ended, also if the thread is interrupted meanwhile (its interrupt status is kept). Closing
   * again waits again.
   *
   * <p>A close is not silent about what the block has missed. The failure of a child that has
   * cancelled the others and that nobody has been shown is thrown here; if the block ends with an
   * exception, it is suppressed in that one. Children that are still running although nobody has
   * waited for them are a mistake of the block: call {@link #join()} before its end, or {@link
   * #cancel()} if they are not needed. What children do after this cancelled them is not thrown.
   *
   * <p>A worker must not wait. Inside a poll the children that are left are cancelled too, but if
   * there are any, this method throws: use {@link #within}, or poll {@link #joined()} to its end
   * before.
   *
   * @throws TaskFailedException if a child failed and neither {@link #joined()} nor its handle has
   *     shown that to anybody; not if the scope collects
   * @throws IllegalStateException if children were running, nobody had waited for them, and neither
   *     the scope nor the caller was cancelled or interrupted; inside a poll if children are left;
   *     in a blocking task that is itself a child, which would wait for itself (nothing is
   *     cancelled then)
   */
  @Override
  public void close() {
    JoinCell<?> self = Caller.task();
    if (Current.isWorker()) {
      cancelChildren(true);
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
    int missed = isToldToEnd(self) ? 0 : unjoined();
    List<JoinCell<?>> before = failures();
    cancelChildren(true);
    if (running() > 0) {
      try {
        Direct.<Done>shielded(this::awaitChildren);
      } catch (Exception e) {
        throw new IllegalStateException("no checked exception is known here", e);
      }
    }
    throwUnseen(before);
    if (missed > 0) {
      throw new IllegalStateException(
          "closed without join(): "
              + missed
              + " children were running and have been cancelled; call join() before the end of the"
              + " block, or cancel() if they are not needed");
    }
  }

  /** Then it is no mistake that nobody waits. */
  private static boolean isToldToEnd(@Nullable JoinCell<?> self) {
    return Thread.currentThread().isInterrupted() || (self != null && self.isCancelRequested());
  }

  private static void throwUnseen(List<JoinCell<?>> failures) {
    TaskFailedException first = null;
    for (JoinCell<?> task : failures) {
      Throwable cause = task.takeUnseenFailure();
      if (cause != null) {
        TaskFailedException next = failed(task, cause);
        if (first == null) {
          first = next;
        } else {
          first.addSuppressed(next);
        }
      }
    }
    if (first != null) {
      throw first;
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
}
