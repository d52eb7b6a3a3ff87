package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.base.Values;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a {@link CompletionStage}. A drop cancels the stage where it can be cancelled.
 *
 * <p>A stage cannot be asked to forget a callback. So the callback is an object of its own, and a
 * wait that was dropped leaves nothing else behind: neither this future nor its waker.
 */
final class StageFuture<S extends @Nullable Object, T> implements Future<T> {
  private final CompletionStage<S> stage;
  private final @Nullable T insteadOfNull;
  private @Nullable Callback<S> callback;

  StageFuture(CompletionStage<S> stage, @Nullable T insteadOfNull) {
    this.stage = Objects.requireNonNull(stage, "stage");
    this.insteadOfNull = insteadOfNull;
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    Callback<S> mine = callback;
    if (mine == null) {
      mine = new Callback<>();
      mine.waker = cx.waker();
      callback = mine;
      var _ = stage.whenComplete(mine);
    } else {
      mine.waker = cx.waker();
    }
    return mine.ended ? finish(mine) : null;
  }

  /**
   * {@code ended} is written by the stage, after how it ended, then {@code waker} is read and
   * woken; poll writes {@code waker}, then reads {@code ended}. Both are volatile, so one side sees
   * the other.
   *
   * <p>It takes no memory, and throws nothing: a stage tells nobody of that.
   */
  private static final class Callback<S extends @Nullable Object>
      implements BiConsumer<S, @Nullable Throwable> {
    @Nullable Object value;
    @Nullable Throwable failure;
    volatile boolean ended;
    volatile @Nullable Waker waker;

    @Override
    public void accept(S value, @Nullable Throwable failure) {
      this.value = value;
      this.failure = failure;
      ended = true;
      Waker w = waker;
      if (w != null) {
        SafeCalls.wake(w);
      }
    }
  }

  @SuppressWarnings("unchecked") // S is T, or Void with insteadOfNull
  private T finish(Callback<S> e) throws Exception {
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
    Callback<S> mine = callback;
    if (mine != null) {
      mine.waker = null;
    }
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
