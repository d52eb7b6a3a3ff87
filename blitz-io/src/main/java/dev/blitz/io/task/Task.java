package dev.blitz.io.task;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.ThrowingAction;
import dev.blitz.io.future.ThrowingCall;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.direct.Direct;
import dev.blitz.io.internal.direct.TimedCall;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.TaskExtras;
import dev.blitz.io.internal.wait.SleepFuture;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.policy.Backoff;
import dev.blitz.io.time.Interval;
import dev.blitz.io.time.MissedTicks;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Tasks of the current runtime: the one whose task or blocking call is running on this thread. What
 * spawns throws {@link IllegalStateException} outside a runtime.
 *
 * {@snippet :
 * int direct = Blitz.run(() -> {
 *   JoinHandle<Integer> a = Task.spawn(() -> slowSquare(6));
 *   JoinHandle<Integer> b = Task.spawn(() -> slowSquare(7));
 *   return a.await() + b.await();
 * });
 *
 * Future<Integer> stackless = Futures.done() // spawns in the poll, where there is a runtime
 *     .andThen(done -> Futures.join(Task.spawn(square(6)), Task.spawn(square(7))))
 *     .map(both -> both.first() + both.second());
 * }
 */
public final class Task {
  private Task() {}

  private static Spawner spawner() {
    return Caller.spawner("a task");
  }

  /** Starts a task that runs {@code future}. */
  public static <T> JoinHandle<T> spawn(Future<? extends T> future) {
    return spawner().spawn(future);
  }

  /**
   * Starts a direct task: runs {@code body} on a virtual thread of its own, where it may wait with
   * {@code await()}. A body that returns a future fails, since nobody would run that; null counts
   * as no result, of which only who asks for the result is told.
   *
   * {@snippet :
   * JoinHandle<Integer> answer = Task.spawn(() -> slowSquare(6));
   * int value = answer.await();
   * }
   */
  public static <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body) {
    return spawner().spawn(body);
  }

  /** Starts a direct task without a result. */
  public static JoinHandle<Done> spawn(ThrowingRunnable body) {
    return spawner().spawn(body);
  }

  /**
   * Starts a task that runs {@code future}, as the options say. If it throws, what the task was to
   * own has been closed.
   */
  public static <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future) {
    return TaskExtras.of(options).passOn(() -> spawner().spawn(options, future));
  }

  /**
   * Starts a direct task; otherwise as {@link #spawn(SpawnOptions, Future)}.
   *
   * {@snippet :
   * Task.spawn(SpawnOptions.owning(stream), () -> serve(stream)); // closed in any case
   * }
   */
  public static <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options).passOn(() -> spawner().spawn(options, body));
  }

  /** As {@link #spawn(SpawnOptions, ThrowingSupplier)}, for a body without a result. */
  public static JoinHandle<Done> spawn(SpawnOptions options, ThrowingRunnable body) {
    return TaskExtras.of(options).passOn(() -> spawner().spawn(options, body));
  }

  /** Runs a call that blocks, on a thread of the blocking pool. */
  public static <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return spawner().spawnBlocking(body);
  }

  /** As {@link #spawnBlocking(ThrowingSupplier)}, for a body without a result. */
  public static JoinHandle<Done> spawnBlocking(ThrowingRunnable body) {
    return spawner().spawnBlocking(body);
  }

  /** As {@link #spawnBlocking(SpawnOptions, ThrowingSupplier)}, for a body without a result. */
  public static JoinHandle<Done> spawnBlocking(SpawnOptions options, ThrowingRunnable body) {
    return TaskExtras.of(options).passOn(() -> spawner().spawnBlocking(options, body));
  }

  /** The same, as the options say. */
  public static <T> JoinHandle<T> spawnBlocking(
      SpawnOptions options, ThrowingSupplier<? extends T> body) {
    return TaskExtras.of(options).passOn(() -> spawner().spawnBlocking(options, body));
  }

  /**
   * Calls {@code body}, which may block its thread, here and now: a file read, a lookup of a host
   * name, native code. The worker that carries the caller is handed over to another thread for the
   * time of the call, so the other tasks go on. In a direct task as well as inside a poll; where
   * nothing needs to be handed over (a blocking task, a thread outside, a direct task on the JDK's
   * carriers) the body is just called, and so it is if no other thread can be had.
   *
   * <p>No more calls go on at once than there may be {@linkplain
   * dev.blitz.io.RuntimeBuilder#blockingThreads blocking threads}. Beyond that a direct task waits
   * for its turn without a worker, and can be cancelled meanwhile; a poll cannot wait, so there the
   * call blocks its worker, and a warning is logged once.
   *
   * <p>The hand-over costs some microseconds; many short calls belong into {@link #spawnBlocking}.
   *
   * {@snippet :
   * byte[] bytes = Task.blockInPlace(() -> Files.readAllBytes(path));
   * }
   *
   * @throws X what the body throws
   */
  public static <T, X extends Exception> T blockInPlace(ThrowingCall<? extends T, X> body)
      throws X {
    return Here.<T, X>call(Direct::blockInPlace, body);
  }

  /** As {@link #blockInPlace(ThrowingCall)}, for a body without a result. */
  public static <X extends Exception> void blockInPlace(ThrowingAction<X> body) throws X {
    Here.run(Direct::blockInPlace, body);
  }

  /**
   * Calls {@code body} now, on this thread, for at most {@code limit} of the runtime's clock. When
   * that passes, whatever the body waits for ends as if the task had been cancelled: an {@code
   * await()} throws a {@link dev.blitz.io.future.CancelledException}, a blocking call of the JDK is
   * interrupted. Once the body has ended the task goes on as before. A result wins, however late;
   * code that does not wait is not stopped; a shield puts the end off. Time-outs nest.
   *
   * {@snippet :
   * String page = Task.timeout(Duration.ofSeconds(2), () -> {
   *   try (TcpStream server = TcpStream.connect(address).await()) { // IOException stays IOException
   *     return ask(server);
   *   }
   * });
   * }
   *
   * <p>In direct and blocking tasks; a poll gives the {@linkplain Future#timeout future} one.
   *
   * @throws X what the body throws before that
   * @throws dev.blitz.io.future.TimedOutException if the body has thrown after the limit had
   *     passed; that is its cause
   */
  public static <T, X extends Exception> T timeout(
      Duration limit, ThrowingCall<? extends T, X> body) throws X {
    Objects.requireNonNull(limit, "limit");
    return Here.<T, X>call(b -> Here.notAFuture(TimedCall.call(limit, b), "Task.timeout"), body);
  }

  /** As {@link #timeout(Duration, ThrowingCall)}, for a body without a result. */
  public static <X extends Exception> void timeout(Duration limit, ThrowingAction<X> body)
      throws X {
    Objects.requireNonNull(limit, "limit");
    Here.run(b -> TimedCall.call(limit, b), body);
  }

  /**
   * Calls {@code body} now, on this thread, and after a failure again, with pauses as {@code
   * backoff} says. When that gives up, the last failure is thrown. Cancellation, interrupts and
   * Errors are thrown at once. {@link Futures#retry} is the stackless form.
   *
   * {@snippet :
   * String page = Task.retry(Backoff.exponential(Duration.ofMillis(100)).limit(5), () -> fetch(url));
   * }
   */
  public static <T, X extends Exception> T retry(Backoff backoff, ThrowingCall<? extends T, X> body)
      throws X {
    Objects.requireNonNull(backoff, "backoff");
    return Here.<T, X>call(
        b -> Here.notAFuture(Retries.call(backoff, b, failure -> {}), "Task.retry"), body);
  }

  /** As {@link #retry(Backoff, ThrowingCall)}, for a body without a result. */
  public static <X extends Exception> void retry(Backoff backoff, ThrowingAction<X> body) throws X {
    Objects.requireNonNull(backoff, "backoff");
    Here.run(b -> Retries.call(backoff, b, failure -> {}), body);
  }

  /**
   * Calls {@code body} on this thread once in each {@code period}, first after one, until it throws
   * or the task is cancelled. Calls that are missed because one took too long are left out. For
   * more choice there is {@link dev.blitz.io.time.Interval}.
   *
   * {@snippet :
   * scope.spawn(() -> Task.every(Duration.ofSeconds(10), () -> cache.evict()));
   * }
   */
  public static <X extends Exception> void every(Duration period, ThrowingAction<X> body) throws X {
    Interval interval = Interval.every(period).onMissed(MissedTicks.SKIP);
    while (true) {
      interval.tick().await();
      body.run();
    }
  }

  /**
   * Ends when {@code duration} has passed since its first poll; at once if that is zero or less.
   */
  @CheckReturnValue
  public static UncheckedFuture<Done> sleep(Duration duration) {
    return Watched.unchecked(new SleepFuture(duration));
  }

  /** Ends at {@code deadline}; at once if that has passed. */
  @CheckReturnValue
  public static UncheckedFuture<Done> sleepUntil(Deadline deadline) {
    return Watched.unchecked(new SleepFuture(deadline));
  }

  /**
   * The number of the task, or blocking task, that is running on this thread.
   *
   * @throws IllegalStateException outside a task
   */
  public static long id() {
    return here().id();
  }

  /**
   * The name of the task, or blocking task, that is running on this thread.
   *
   * @throws IllegalStateException outside a task
   */
  public static String name() {
    return here().name();
  }

  private static JoinHandle<?> here() {
    JoinHandle<?> task = Caller.task();
    if (task == null) {
      throw new IllegalStateException(
          "no task here: " + Telling.of(Thread.currentThread()) + " is not running one");
    }
    return task;
  }

  // --- Several tasks ---

  /**
   * All results, in the order of the list. The first failure or cancellation is thrown at once; the
   * other tasks run on. Dropping it merely stops waiting. Takes time in proportion to the number of
   * tasks, however they end.
   */
  @CheckReturnValue
  public static <T> UncheckedFuture<List<T>> joinAll(
      List<? extends JoinHandle<? extends T>> tasks) {
    return new JoinAllFuture<>(tasks, JoinHandle::poll, true);
  }

  /** How each task ended, in the order of the list; otherwise as {@link #joinAll}. */
  @CheckReturnValue
  public static <T> UncheckedFuture<List<Outcome<T>>> tryJoinAll(
      List<? extends JoinHandle<? extends T>> tasks) {
    return new JoinAllFuture<>(tasks, (task, cx) -> outcome(task), false);
  }

  private static <T> Outcome<T> outcome(JoinHandle<? extends T> task) {
    return Outcome.of(task.outcome());
  }

  /** Lets other tasks run once. */
  @CheckReturnValue
  public static UncheckedFuture<Done> yieldNow() {
    return Watched.unchecked(new YieldFuture());
  }

  /**
   * Runs {@code future} to its end even if its task is cancelled meanwhile; the cancellation takes
   * effect afterwards. Shields nest up to 255 deep. A shield protects against {@link
   * JoinHandle#cancel} of the task that polls it, not against being dropped by a combinator that
   * lost interest. A pending one that another task goes on with protects that task from then on; it
   * has to be polled or dropped, since until then the first task cannot be cancelled.
   */
  @CheckReturnValue
  public static <T> Future<T> shielded(Future<T> future) {
    return new ShieldedFuture<>(future);
  }

  /** As {@link #shielded(Future)}. */
  @CheckReturnValue
  public static <T> IoFuture<T> shielded(IoFuture<T> future) {
    return Futures.io(new ShieldedFuture<>(future));
  }

  /** As {@link #shielded(Future)}. */
  @CheckReturnValue
  public static <T> UncheckedFuture<T> shielded(UncheckedFuture<T> future) {
    return Futures.unchecked(new ShieldedFuture<>(future));
  }

  /**
   * Calls {@code body} now, in a direct task, and keeps cancellation away from it: inside, {@code
   * await()} waits as if the task had not been cancelled and the thread is not interrupted by it.
   * Afterwards the cancellation takes effect. For what must not be cut in two, such as a clean-up
   * that waits. Elsewhere the body is just called.
   *
   * {@snippet :
   * try {
   *   work();
   * } finally {
   *   Task.shielded(() -> connection.sayGoodbye().await());
   * }
   * }
   *
   * @throws X what the body throws
   */
  public static <T, X extends Exception> T shielded(ThrowingCall<? extends T, X> body) throws X {
    return Here.<T, X>call(Direct::shielded, body);
  }

  /** As {@link #shielded(ThrowingCall)}, for a body without a result. */
  public static <X extends Exception> void shielded(ThrowingAction<X> body) throws X {
    Here.run(Direct::shielded, body);
  }
}
