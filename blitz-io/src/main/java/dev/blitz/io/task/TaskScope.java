package dev.blitz.io.task;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.direct.Direct;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.Inheritance;
import dev.blitz.io.internal.task.JoinCell;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A block whose tasks all end before it does.
 *
 * <p>In a scope that was {@linkplain #open() opened} without more the first failure of a child
 * cancels the others. A {@link ScopePolicy} says otherwise: how many failures it takes, or that
 * failures go to a handler and children are started again, or that every outcome is kept; and how
 * many children may run at once. Children may spawn further children while the scope is open.
 *
 * <p>In a direct task a scope is a try block. The body is not interrupted when a child fails: it
 * learns of that in {@link #join()}, which belongs at the end of the block, or sooner where it
 * waits with {@link #guard}, or spawns: the {@link CancelledException} of that has the child's
 * failure as its cause.
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
public final class TaskScope implements Spawner, AutoCloseable {
  private final Spawner runtime;
  final ScopeBooks books;

  TaskScope(Spawner runtime, ScopePolicy policy) {
    this.books = new ScopeBooks(policy);
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
    return open(ScopePolicy.failAfter(1));
  }

  /**
   * A scope of the current runtime with a policy.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static TaskScope open(ScopePolicy policy) {
    return open(Caller.spawner("a scope"), policy);
  }

  /** A scope whose children run on {@code runtime}; the first failure cancels the others. */
  public static TaskScope open(Spawner runtime) {
    return open(runtime, ScopePolicy.failAfter(1));
  }

  /** A scope with a policy, whose children run on {@code runtime}. */
  public static TaskScope open(Spawner runtime, ScopePolicy policy) {
    return new TaskScope(runtime, policy);
  }

  /**
   * What {@code function} makes of each item, in their order, for at most {@code atOnce} of them at
   * a time, each in a direct task. The first failure cancels the rest and is thrown once they have
   * ended.
   *
   * {@snippet :
   * List<Page> pages = TaskScope.map(urls, 16, url -> fetch(url));
   * }
   *
   * @throws TaskFailedException with what the function threw as its cause
   */
  public static <A, B> List<B> map(
      Iterable<? extends A> items, int atOnce, ThrowingFunction<? super A, ? extends B> function) {
    Objects.requireNonNull(function, "function");
    List<JoinHandle<B>> handles = new ArrayList<>();
    try (TaskScope scope = open(ScopePolicy.limit(atOnce))) {
      try {
        for (A item : items) {
          handles.add(scope.spawn(new Applied<A, B>(function, item)));
        }
      } catch (CancelledException e) {
        ScopeFailures.throwAll(scope.failuresToThrow()); // that is why there is no room any more
        throw e;
      }
      scope.join();
    }
    List<B> results = new ArrayList<>(handles.size());
    handles.forEach(handle -> results.add(handle.get()));
    return results;
  }

  private record Applied<A, B>(ThrowingFunction<? super A, ? extends B> inner, A item)
      implements ThrowingSupplier<B>, Inheritance.Wrapped {
    @Override
    public B get() throws Exception {
      return inner.apply(item);
    }
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
    return within(ScopePolicy.failAfter(1), body);
  }

  /** The same, with a policy. */
  @CheckReturnValue
  public static <T> Future<T> within(
      ScopePolicy policy, ThrowingFunction<? super TaskScope, ? extends Future<? extends T>> body) {
    return new WithinFuture<>(policy, body);
  }

  // --- Children ---

  /**
   * Starts a child that runs {@code future}. If the scope has a limit and no room, waits for it;
   * inside a poll, which must not wait, {@link #spawnWhenRoom} does.
   *
   * @throws CancelledException if the scope was cancelled, by a call or by the failure of a child,
   *     or the caller is cancelled or interrupted while it waits for room
   * @throws IllegalStateException if the scope is closed, or there is no room inside a poll, or the
   *     caller is a child of this scope and all children wait for room in it
   * @throws RejectedExecutionException if the runtime is closed
   */
  @Override
  public <T> JoinHandle<T> spawn(Future<? extends T> future) {
    return adopt(childOf(future), runtime::spawn);
  }

  /** Starts a child that is a direct task; otherwise as {@link #spawn(Future)}. */
  @Override
  public <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    return adopt(this.<T>childOf(body), child -> runtime.spawn(child.body()));
  }

  /**
   * As {@link #spawn(Future)}, as the options say. If it throws, for example because the scope was
   * cancelled, what the child was to own has been closed.
   */
  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
    return TaskExtras.of(options)
        .passOn(() -> adopt(childOf(future), child -> runtime.spawn(options, child)));
  }

  /** Starts a child that is a direct task; otherwise as {@link #spawn(SpawnOptions, Future)}. */
  @Override
  public <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options)
        .passOn(() -> adopt(this.<T>childOf(body), child -> runtime.spawn(options, child.body())));
  }

  /** As {@link #spawn(Future)}, for a call that blocks; cancelling the child interrupts it. */
  @Override
  public <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return adopt(this.<T>childOf(body), child -> runtime.spawnBlocking(child.body()));
  }

  /** The same, as the options say; otherwise as {@link #spawn(SpawnOptions, Future)}. */
  @Override
  public <T> JoinHandle<T> spawnBlocking(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options)
        .passOn(() ->
            adopt(this.<T>childOf(body), child -> runtime.spawnBlocking(options, child.body())));
  }

  /**
   * Starts a child that runs {@code future} once the scope has room for it: for stackless code,
   * whose polls must not wait. Those who wait for room are served in the order they came.
   *
   * @throws IllegalArgumentException if the scope restarts its children: a future runs only once
   */
  @CheckReturnValue
  public <T> UncheckedFuture<JoinHandle<T>> spawnWhenRoom(Future<? extends T> future) {
    return new RoomySpawn<>(this, new ScopeRoom(books), this.<T>childOf(future));
  }

  /** With a place that {@code room} was granted. */
  <T> JoinHandle<T> spawn(ScopeChild<T> child, ScopeRoom room) {
    return adopt(child, runtime::spawn, room);
  }

  private <T> ScopeChild<T> childOf(Future<? extends T> future) {
    Objects.requireNonNull(future, "future");
    if (books.policy().restart() != null) {
      throw new IllegalArgumentException(
          "a future runs once, so this scope cannot restart it: spawn a lambda, or Futures.retry");
    }
    return new ScopeChild<>(books, future);
  }

  private <T> ScopeChild<T> childOf(ThrowingSupplier<? extends T> body) {
    Objects.requireNonNull(body, "body");
    Backoff restart = books.policy().restart();
    return new ScopeChild<>(
        books, restart == null ? body : new Restarting<>(body, restart, books.policy()));
  }

  private <T> JoinHandle<T> adopt(
      ScopeChild<T> child, Function<ScopeChild<T>, JoinHandle<T>> start) {
    StackRoom.forMany();
    if (books.add(child, null)) {
      return start(child, start);
    }
    if (Current.isWorker()) {
      throw new IllegalStateException(
          books + " has no room, and a poll cannot wait for it: use spawnWhenRoom");
    }
    var room = new ScopeRoom(books);
    room.await();
    try {
      return adopt(child, start, room);
    } catch (Throwable t) {
      room.drop(); // if the child has not taken the place
      throw t;
    }
  }

  private <T> JoinHandle<T> adopt(
      ScopeChild<T> child, Function<ScopeChild<T>, JoinHandle<T>> start, ScopeRoom room) {
    books.add(child, room);
    return start(child, start);
  }

  private <T> JoinHandle<T> start(
      ScopeChild<T> child, Function<ScopeChild<T>, JoinHandle<T>> start) {
    JoinHandle<T> handle;
    JoinCell<T> task;
    try {
      handle = start.apply(child);
      task = JoinCell.of(handle);
    } catch (Throwable t) {
      books.neverBegan(child);
      throw t;
    }
    task.guardBy(child);
    boolean late = books.began(child, task);
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
    return books.count();
  }

  /** The children that have not ended, in the order of their spawns; a copy. */
  public List<JoinHandle<?>> children() {
    return List.copyOf(books.children());
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
    return new ScopeIdle(books, false)
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
   * @throws TimedOutException if the limit passed before the last child ended, and none had failed
   * @throws TaskFailedException if a child failed, as {@link #joined()} does
   * @throws CancelledException if the scope was cancelled otherwise, or the calling thread or task
   *     is interrupted or cancelled meanwhile
   */
  public void join(Duration limit) {
    JoinLimit until = joinWithin(limit);
    throwFailures();
    if (until.passed) {
      throw new TimedOutException("the limit of " + limit + " passed before the tasks had ended");
    }
    throwIfCancelled();
  }

  /**
   * Ends gently: takes no more children, waits for those there are, and after {@code limit} cancels
   * those that are left and waits for them. Throws as {@link #join()}, but not because of the
   * limit.
   *
   * @return how many children had to be cancelled
   */
  public int drain(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    books.stopTaking();
    JoinLimit until = joinWithin(limit);
    throwFailures();
    if (until.cancelled == 0) {
      throwIfCancelled();
    }
    return until.cancelled;
  }

  /** Over, so that nobody writes to it any more. */
  private JoinLimit joinWithin(Duration limit) {
    Objects.requireNonNull(limit, "limit");
    var until = new JoinLimit();
    JoinHandle<Done> alarm = alarm(limit, until);
    try {
      new ScopeIdle(books, until).await();
    } finally {
      books.end(until);
      if (alarm != null) {
        alarm.cancel();
      }
    }
    return until;
  }

  /** Null if the runtime takes no more tasks: it is closing, and cancels the children itself. */
  private @Nullable JoinHandle<Done> alarm(Duration limit, JoinLimit until) {
    try {
      return runtime.spawn(Task.sleep(limit).map(done -> books.expire(until, true)));
    } catch (RejectedExecutionException e) {
      if (e.getCause() != null) {
        throw e; // no thread could be started: it is not closing
      }
      books.expire(until, false);
      return null;
    }
  }

  /**
   * Runs {@code future} until this scope is cancelled, as {@link CancelToken#guard} does; but if a
   * child's failure has cancelled it, that is what is thrown. So whatever the body of a scope waits
   * for, it hears of the failure at once:
   *
   * {@snippet :
   * while (true) {
   *   TcpStream stream = scope.guard(listener.accept()).await();
   *   scope.spawn(SpawnOptions.owning(stream), () -> serve(stream));
   * }
   * }
   *
   * @throws TaskFailedException in the future, if a child has failed
   * @throws CancelledException in the future, if the scope was cancelled otherwise
   */
  @CheckReturnValue
  public <T> Future<T> guard(Future<T> future) {
    return new GuardedFuture<>(books.token(), future, this::throwFailures);
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> IoFuture<T> guard(IoFuture<T> future) {
    return Futures.io(guard((Future<T>) future));
  }

  /** As {@link #guard(Future)}. */
  @CheckReturnValue
  public <T> UncheckedFuture<T> guard(UncheckedFuture<T> future) {
    return Futures.unchecked(guard((Future<T>) future));
  }

  /**
   * How each child of a collecting scope ended, in the order of their spawns.
   *
   * @throws IllegalStateException if children are still running, or the scope does not collect
   */
  public List<Outcome<?>> outcomes() {
    List<JoinCell<?>> tasks = books.allEnded();
    List<Outcome<?>> outcomes = new ArrayList<>(tasks.size());
    tasks.forEach(t -> outcomes.add(t.outcome()));
    return List.copyOf(outcomes);
  }

  /**
   * The failures of children so far, in the order of their ends, such as those that a {@link
   * ScopePolicy#failAfter} of more than one has put up with. They count as seen. Empty if the scope
   * collects or supervises.
   */
  public List<TaskFailedException> failures() {
    return books.failures().stream().map(ScopeFailures::seen).toList();
  }

  /** Throws the first failure with the others, if there are as many as the policy minds. */
  void throwFailures() {
    ScopeFailures.throwAll(failuresToThrow());
  }

  private List<JoinCell<?>> failuresToThrow() {
    List<JoinCell<?>> failures = books.failures();
    return failures.size() < books.policy().failAfter() ? List.of() : failures;
  }

  private void throwIfCancelled() {
    if (!books.policy().collects() && isCancelled()) {
      throw cancelledException();
    }
  }

  CancelledException cancelledException() {
    return books.cancelledException();
  }

  /** Adds the children's failures to the one of the body. */
  void suppressInto(Throwable failure) {
    ScopeFailures.suppressInto(failure, books.failures());
  }

  // --- Cancelling and closing ---

  /**
   * Cancels all children and the body of {@link #within}; later spawns are refused. Does not wait.
   *
   * @return whether this call was the one that did
   */
  public boolean cancel() {
    return books.cancelChildren(false);
  }

  /** Whether the scope was cancelled, by a call, by the failure of a child, or by its close. */
  public boolean isCancelled() {
    return books.wasCancelled();
  }

  /** Cancelled together with this scope; for what its children call. */
  public CancelToken token() {
    return books.token();
  }

  /** Cancels without waiting: for a drop. */
  void abandon() {
    books.cancelChildren(true);
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
      books.cancelChildren(true);
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
    if (self != null && books.isChild(self)) {
      throw new IllegalStateException(
          self.name() + " closes the scope it belongs to: it would wait for itself");
    }
    int missed = isToldToEnd(self) ? 0 : books.unjoined();
    List<JoinCell<?>> before = failuresToThrow();
    books.cancelChildren(true);
    if (running() > 0) {
      try {
        Direct.<Done>shielded(this::awaitChildren);
      } catch (Exception e) {
        throw new IllegalStateException("no checked exception is known here", e);
      }
    }
    ScopeFailures.throwUnseen(before);
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

  private Done awaitChildren() {
    boolean interrupted = false;
    while (running() > 0) {
      try {
        new ScopeIdle(books, true).await();
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
    return books.toString();
  }
}
