package dev.blitz.io.internal.task;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingRunnable;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.SpawnOptions;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What few tasks have; the others save the space.
 *
 * @param name the user's name for the task
 * @param owned what is closed at its end
 * @param onCancel what stops a blocking call
 */
public record TaskExtras(
    @Nullable String name, @Nullable Owned owned, @Nullable ThrowingRunnable onCancel)
    implements SpawnOptions {

  /** Of a task with a name. */
  public TaskExtras(String name) {
    this(name, null, null);
  }

  /** What the user's options are made of. */
  public static TaskExtras of(SpawnOptions options) {
    if (Objects.requireNonNull(options, "options") instanceof TaskExtras extras) {
      return extras;
    }
    throw new IllegalArgumentException("options of a foreign kind: " + options.getClass());
  }

  @Override
  public SpawnOptions and(SpawnOptions other) {
    TaskExtras more = of(other);
    String both = more.name == null ? name : more.name;
    if (onCancel != null && more.onCancel != null) {
      throw new IllegalArgumentException("a call is cancelled in one way: onCancel was said twice");
    }
    ThrowingRunnable way = more.onCancel == null ? onCancel : more.onCancel;
    return new TaskExtras(both, Owned.both(owned, more.owned), way);
  }

  /** For one who has the action, and lets it go when the call has ended. */
  public TaskExtras withoutOnCancel() {
    return onCancel == null ? this : new TaskExtras(name, owned, null);
  }

  /** For a task that is not a blocking call. */
  public void refuseOnCancel() {
    if (onCancel != null) {
      throw new IllegalArgumentException(
          "onCancel is for spawnBlocking: a direct task is interrupted, a future dropped");
    }
  }

  /** The user's future, which closes what the task owns when it ends or is dropped. */
  public <T> Future<? extends T> around(Future<? extends T> future) {
    return owned == null ? future : new Owned.ClosingFuture<T>(owned, future);
  }

  /** The user's function, which closes what the task owns when it ends. */
  public <T> ThrowingSupplier<? extends T> around(ThrowingSupplier<? extends T> body) {
    return owned == null ? body : new Owned.Closing<T>(owned, body);
  }

  /**
   * Gives what is owned to the task that {@code spawn} makes. If that throws, it is closed here.
   *
   * @throws IllegalStateException if another task has it; nothing is closed then
   */
  public <T> JoinHandle<T> handOver(Supplier<JoinHandle<T>> spawn) {
    if (owned != null && !owned.take()) {
      throw new IllegalStateException("these options have been used: make some for each task");
    }
    try {
      return spawn.get();
    } catch (Throwable t) {
      if (owned != null) {
        owned.closeInto(t);
      }
      throw t;
    }
  }

  /** Calls {@code spawn}, which leads to {@link #handOver}; if it never gets there, closes here. */
  public <T> JoinHandle<T> passOn(Supplier<JoinHandle<T>> spawn) {
    try {
      return spawn.get();
    } catch (Throwable t) {
      if (owned != null && owned.take()) {
        owned.closeInto(t);
      }
      throw t;
    }
  }
}
