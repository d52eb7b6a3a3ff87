package dev.blitz.io.future;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@link Future#andThen}: the first future, then the one made from its result. */
final class AndThenFuture<T, U> implements Future<U> {
  private Future<?> current;
  private @Nullable ThrowingFunction<? super T, ? extends Future<? extends U>> next;

  AndThenFuture(Future<T> first, ThrowingFunction<? super T, ? extends Future<? extends U>> next) {
    this.current = first;
    this.next = Objects.requireNonNull(next, "next");
  }

  @Override
  @SuppressWarnings("unchecked") // next tells which of the two futures current is
  public @Nullable U poll(Context cx) throws Exception {
    if (next != null) {
      T value = ((Future<T>) current).poll(cx);
      if (value == null) {
        return null;
      }
      var made = next;
      next = null;
      current = Values.nonNull(made.apply(value), "andThen function", made);
    }
    return ((Future<? extends U>) current).poll(cx);
  }

  @Override
  public void drop() {
    current.drop();
  }

  @Override
  public String toString() {
    return current.toString();
  }
}
