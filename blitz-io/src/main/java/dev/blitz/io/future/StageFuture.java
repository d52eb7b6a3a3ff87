package dev.blitz.io.future;

import dev.blitz.io.internal.task.Telling;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a {@link CompletionStage}. A drop cancels the stage where it can be cancelled.
 *
 * <p>Protocol: {@code end} is written by the stage's callback, then {@code waker} is read and
 * woken; poll writes {@code waker}, then reads {@code end}. Both are volatile, so one side sees the
 * other.
 */
final class StageFuture<S extends @Nullable Object, T> implements Future<T> {
  /** How the stage ended. */
  private record End(@Nullable Object value, @Nullable Throwable failure) {}

  private final CompletionStage<S> stage;
  private final @Nullable T insteadOfNull;
  private boolean registered;
  private volatile @Nullable End end;
  private volatile @Nullable Waker waker;

  StageFuture(CompletionStage<S> stage, @Nullable T insteadOfNull) {
    this.stage = Objects.requireNonNull(stage, "stage");
    this.insteadOfNull = insteadOfNull;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    waker = cx.waker();
    if (!registered) {
      registered = true;
      var _ =
          stage.whenComplete((value, failure) -> {
            end = new End(value, failure);
            Waker w = waker;
            if (w != null) {
              w.wake();
            }
          });
    }
    End e = end;
    return e == null ? null : finish(e);
  }

  @SuppressWarnings("unchecked") // S is T, or Void with insteadOfNull
  private T finish(End e) throws Exception {
    if (e.failure != null) {
      throw unwrapped(e.failure);
    }
    Object value = e.value == null ? insteadOfNull : e.value;
    return (T) Values.nonNull(value, "stage", stage);
  }

  private static Exception unwrapped(Throwable failure) {
    Throwable t = Telling.unwrapped(failure);
    return switch (t) {
      case CancelledException c -> c;
      case CancellationException c -> {
        var mine = new CancelledException("the stage was cancelled");
        mine.initCause(c);
        yield mine;
      }
      case Exception x -> x;
      case Error x -> throw x;
      default -> Telling.unchecked(t);
    };
  }

  @Override
  public void drop() {
    waker = null;
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (UnsupportedOperationException e) {
      // A stage that cannot be cancelled goes on; its result is ignored.
    }
  }

  @Override
  public String toString() {
    return stage instanceof CompletableFuture<?> f ? "completion of " + f : "completion of a stage";
  }
}
