package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Source#flatMap}: one inner source after the other. */
final class FlatMapStage<T, U> extends Stage<U> {
  private final Stage<T> from;
  private final ThrowingFunction<? super T, ? extends Source<? extends U>> mapper;

  /** Not taken apart: whoever made it may close it. */
  private @Nullable Stage<? extends U> inner;

  private FlatMapStage(
      Stage<T> from, ThrowingFunction<? super T, ? extends Source<? extends U>> mapper) {
    this.from = from;
    this.mapper = mapper;
  }

  static <T, U> Stage<U> of(
      Source<T> source, ThrowingFunction<? super T, ? extends Source<? extends U>> mapper) {
    Objects.requireNonNull(mapper, "mapper");
    return new FlatMapStage<>(Stage.of(source), mapper);
  }

  @Override
  @Nullable U pull(Context cx) throws Exception {
    for (int n = 0; n < ROUND; n++) {
      Stage<? extends U> now = inner;
      if (now != null) {
        U item = now.pull(cx);
        if (item != null || !now.ended) {
          return item;
        }
        inner = null;
        dropAll(now);
      }
      T next = from.pull(cx);
      if (next == null) {
        ended = from.ended;
        return null;
      }
      inner =
          new ForeignStage<>(
              Values.nonNull(
                  mapper.apply(next), "flatMap function", mapper, "Source.empty() for no items"));
    }
    cx.waker().wake();
    return null;
  }

  @Override
  int inputs() {
    return 2;
  }

  @Override
  @Nullable Stage<?> input(int i) {
    return i == 0 ? from : inner;
  }

  @Override
  public String toString() {
    return inner == null ? from.toString() : inner.toString();
  }
}
