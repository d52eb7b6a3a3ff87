package dev.blitz.io.future;

import dev.blitz.io.internal.base.Values;
import dev.blitz.io.internal.wait.SafeCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A select with handlers, see {@link Select#on}. The handler runs inside the poll and must not
 * block; what it returns is the result.
 *
 * {@snippet :
 * Future<String> next = Select.on(inbox.receive(), message -> "got " + message)
 *     .on(ticker.tick(), tick -> "tick " + tick.number())
 *     .orElse(() -> "nothing yet")
 *     .build();
 * }
 *
 * @param <R> the type of the result
 */
@CheckReturnValue
public final class SelectBuilder<R> {
  private final List<Future<? extends R>> branches = new ArrayList<>();
  private @Nullable ThrowingSupplier<? extends R> otherwise;

  SelectBuilder() {}

  /** Another future and what to do with its value. */
  @SuppressWarnings("CanIgnoreReturnValueSuggester") // a builder that is not built never runs
  public <T> SelectBuilder<R> on(
      Future<T> future, ThrowingFunction<? super T, ? extends R> handler) {
    Objects.requireNonNull(handler, "handler");
    branches.add(future.map(handler));
    return this;
  }

  /** What to do if no future is ready in the first poll: the select then never waits. */
  @SuppressWarnings("CanIgnoreReturnValueSuggester") // as above
  public SelectBuilder<R> orElse(ThrowingSupplier<? extends R> nothingReady) {
    otherwise = Objects.requireNonNull(nothingReady, "nothingReady");
    return this;
  }

  /** The select. */
  public Future<R> build() {
    var first = new RaceFuture<R>(branches);
    ThrowingSupplier<? extends R> supplier = otherwise;
    return supplier == null ? first : new NowOr<>(first, supplier);
  }

  /** One poll of the branches, then the default. */
  private static final class NowOr<R> implements Future<R>, FairOrder.Choice {
    private final RaceFuture<R> first;
    private final ThrowingSupplier<? extends R> otherwise;
    private boolean askedAll;

    NowOr(RaceFuture<R> first, ThrowingSupplier<? extends R> otherwise) {
      this.first = first;
      this.otherwise = otherwise;
    }

    @Override
    public void drawOrder(FairOrder fair) {
      first.drawOrder(fair);
    }

    @Override
    public @Nullable R poll(Context cx) throws Exception {
      R selected = first.poll(cx);
      if (selected != null) {
        return selected;
      }
      // Charges: the default may be ready many times in a row.
      if (!cx.proceed() && !askedAll) {
        // A branch may have had nothing for want of budget. But once all have been asked, only one
        // more time: there may be one that uses up every budget.
        askedAll = first.hasAskedAll();
        return null;
      }
      SafeCalls.drop(first);
      return Values.nonNull(otherwise.get(), "default", otherwise);
    }

    @Override
    public void drop() {
      first.drop();
    }

    @Override
    public String toString() {
      return first + ", if ready";
    }
  }
}
