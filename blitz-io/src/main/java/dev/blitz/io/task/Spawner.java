package dev.blitz.io.task;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.task.TaskExtras;
import java.util.Objects;

/**
 * Starts tasks: a runtime, or a {@link TaskScope} whose children they are. Implemented by Blitz
 * only.
 *
 * {@snippet :
 * static void startWorkers(Spawner spawner, int count) { // of a runtime or a scope alike
 *   for (int i = 0; i < count; i++) {
 *     spawner.spawn(SpawnOptions.named("worker-" + i), () -> work());
 *   }
 * }
 * }
 *
 * <p>Every method throws {@link java.util.concurrent.RejectedExecutionException} if the runtime is
 * closed. If one with {@link SpawnOptions} throws, what the task was to own has been closed.
 */
public interface Spawner {

  /** Starts a task that runs {@code future}. */
  <T> JoinHandle<T> spawn(Future<? extends T> future);

  /** Starts a task that runs {@code future}, as the options say. */
  <T> JoinHandle<T> spawn(SpawnOptions options, Future<? extends T> future);

  /**
   * Starts a direct task: runs {@code body} on a virtual thread of its own, where it may wait with
   * {@code await()}. Cancelling the task interrupts it. A body that returns a future fails, since
   * nobody would run that; null counts as no result, of which only who asks for the result is told.
   */
  <T> JoinHandle<T> spawn(ThrowingSupplier<? extends T> body);

  /** Starts a direct task, as the options say. */
  <T> JoinHandle<T> spawn(SpawnOptions options, ThrowingSupplier<? extends T> body);

  /** Starts a direct task without a result. */
  default JoinHandle<Done> spawn(ThrowingRunnable body) {
    Objects.requireNonNull(body, "body");
    return spawn(ThrowingRunnable.asSupplier(body));
  }

  /** Starts a direct task without a result, as the options say. */
  default JoinHandle<Done> spawn(SpawnOptions options, ThrowingRunnable body) {
    return TaskExtras.of(options)
        .passOn(() -> {
          Objects.requireNonNull(body, "body");
          return this.<Done>spawn(options, ThrowingRunnable.asSupplier(body));
        });
  }

  /**
   * Runs a call that blocks, on a thread of the blocking pool. Cancelling it interrupts the thread.
   */
  <T> JoinHandle<T> spawnBlocking(ThrowingSupplier<? extends T> body);

  /** The same, as the options say. */
  <T> JoinHandle<T> spawnBlocking(SpawnOptions options, ThrowingSupplier<? extends T> body);

  /** As {@link #spawnBlocking(ThrowingSupplier)}, for a call without a result. */
  default JoinHandle<Done> spawnBlocking(ThrowingRunnable body) {
    Objects.requireNonNull(body, "body");
    return spawnBlocking(ThrowingRunnable.asSupplier(body));
  }

  /** The same, as the options say. */
  default JoinHandle<Done> spawnBlocking(SpawnOptions options, ThrowingRunnable body) {
    return TaskExtras.of(options)
        .passOn(() -> {
          Objects.requireNonNull(body, "body");
          return this.<Done>spawnBlocking(options, ThrowingRunnable.asSupplier(body));
        });
  }
}
