package dev.blitz.io.task;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.time.Time;
import java.time.Duration;

/**
 * Tasks of the current runtime: the one whose task or blocking call is running on this thread.
 * Every method but {@link #shielded} throws {@link IllegalStateException} outside a runtime.
 *
 * {@snippet :
 * Future<Integer> both = Futures.lazy(() -> {
 *       JoinHandle<Integer> a = Task.spawn(Futures.ready(1));
 *       JoinHandle<Integer> b = Task.spawn(Futures.ready(2));
 *       return Futures.join(a, b);
 *     })
 *     .andThen(joined -> joined)
 *     .map(pair -> pair.first() + pair.second());
 * int three = Blitz.run(both);
 * }
 */
public final class Task {
  private Task() {}

  /** Starts a task that runs {@code future}. */
  public static <T> JoinHandle<T> spawn(Future<? extends T> future) {
    return BlitzRuntime.current().spawn(future);
  }

  /** Starts a task with a name. */
  public static <T> JoinHandle<T> spawn(String name, Future<? extends T> future) {
    return BlitzRuntime.current().spawn(name, future);
  }

  /** Runs a call that blocks, on a thread of the blocking pool. */
  public static <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body) {
    return BlitzRuntime.current().spawnBlocking(body);
  }

  /** Ends when {@code duration} has passed since its first poll. */
  @CheckReturnValue
  public static UncheckedFuture<Done> sleep(Duration duration) {
    return Time.sleep(duration);
  }

  /** Lets other tasks run once. */
  @CheckReturnValue
  public static UncheckedFuture<Done> yieldNow() {
    return Futures.yieldNow();
  }

  /**
   * Runs {@code future} to its end even if its task is cancelled meanwhile; the cancellation takes
   * effect afterwards. Shields nest up to 255 deep. A shield protects against {@link
   * JoinHandle#cancel} of the task that polls it, not against being dropped by a combinator that
   * lost interest.
   */
  @CheckReturnValue
  public static <T> Future<T> shielded(Future<T> future) {
    return new ShieldedFuture<>(future);
  }
}
