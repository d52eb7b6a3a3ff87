package dev.blitz.io.task;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Deadline;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.future.UncheckedFuture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A spawned task, seen from outside: wait for it, look at it, cancel it. Implemented by the runtime
 * only.
 *
 * <p>Thread safe. A handle is a future that may be polled and awaited by any number of waiters,
 * also after the end: the result stays. Dropping it merely stops waiting. A failure that nobody
 * asks for reaches the runtime's uncaught handler once: at once if the task was detached, otherwise
 * when the handle has become unreachable or the runtime is closed.
 *
 * {@snippet :
 * JoinHandle<Integer> answer = Task.spawn(Futures.lazy(() -> 6 * 7));
 * int value = answer.await();
 * }
 */
public interface JoinHandle<T> extends UncheckedFuture<T> {

  /**
   * The task's result.
   *
   * @throws TaskFailedException if the task failed; the cause is what it threw
   * @throws dev.blitz.io.future.CancelledException if the task was cancelled
   */
  @Override
  @Nullable T poll(Context cx);

  /** The task's number, unique in its runtime. */
  long id();

  /** The name given at spawn, or {@code task-<id>}. */
  String name();

  /** Whether the task has ended in some way. */
  boolean isDone();

  /**
   * The result of a task that has ended, without waiting.
   *
   * @throws IllegalStateException if it has not ended
   * @throws TaskFailedException if it failed; the cause is what it threw
   * @throws dev.blitz.io.future.CancelledException if it was cancelled
   */
  T get();

  /**
   * Asks the task to end without a result. A waiting task is dropped by a worker; a running one
   * after its present poll, whose value would still win; a shielded one after its shield. A
   * blocking task is taken from the queue or interrupted. A direct task is interrupted: it ends
   * when its code does, and until then every {@code await()} outside a shield throws.
   *
   * @return whether this call was the one that asked; false also if the task had ended
   */
  boolean cancel();

  /**
   * Waits for the task and owns it: if that wait is dropped, by a time-out, a lost race or the
   * cancellation of the one who waits, the task is cancelled. A plain handle that is dropped leaves
   * its task running.
   *
   * {@snippet :
   * String fastest = Futures.race(near.cancelOnDrop(), far.cancelOnDrop()).await(); // the loser is cancelled
   * }
   */
  @CheckReturnValue
  default UncheckedFuture<T> cancelOnDrop() {
    return new CancellingJoin<>(this);
  }

  /**
   * The task's result if it ends within {@code limit} of the first poll; otherwise the task is
   * {@linkplain #cancel() cancelled}, not waited for, and {@link
   * dev.blitz.io.future.TimedOutException} is thrown. The same as {@code
   * cancelOnDrop().timeout(limit)}; {@link #stopWaitingAfter} leaves the task alone.
   */
  @Override
  @CheckReturnValue
  default UncheckedFuture<T> timeout(Duration limit) {
    return cancelOnDrop().timeout(limit);
  }

  /** As {@link #timeout}, until a moment. */
  @Override
  @CheckReturnValue
  default UncheckedFuture<T> timeoutAt(Deadline deadline) {
    return cancelOnDrop().timeoutAt(deadline);
  }

  /**
   * The task's result if it ends within {@code limit} of the first poll; otherwise {@link
   * dev.blitz.io.future.TimedOutException} is thrown, and the task runs on.
   */
  @CheckReturnValue
  default UncheckedFuture<T> stopWaitingAfter(Duration limit) {
    return UncheckedFuture.super.timeout(limit);
  }

  /** Declares that nobody will ask for the result: a failure goes to the uncaught handler. */
  void detach();

  /**
   * How the task ended.
   *
   * @throws IllegalStateException if it has not
   */
  Outcome<T> outcome();

  /**
   * The same task for code that speaks {@link CompletableFuture}; cancelling that cancels the task.
   */
  CompletableFuture<T> toCompletableFuture();
}
