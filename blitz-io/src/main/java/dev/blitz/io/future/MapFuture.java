package dev.blitz.io.future;

import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Future#map}. */
final class MapFuture<T, U> implements Future<U> {
  private final Future<T> source;
  private final ThrowingFunction<? super T, ? extends U> mapper;

  MapFuture(Future<T> source, ThrowingFunction<? super T, ? extends U> mapper) {
    this.source = source;
    this.mapper = Objects.requireNonNull(mapper, "mapper");
  }

  @Override
  public @Nullable U poll(Context cx) throws Exception {
    T value = source.poll(cx);
    return value == null ? null : Values.nonNull(mapper.apply(value), "map function", mapper);
  }

  @Override
  public void drop() {
    source.drop();
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
