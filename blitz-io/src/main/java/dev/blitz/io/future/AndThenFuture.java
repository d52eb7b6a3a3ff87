package dev.blitz.io.future;

import dev.blitz.io.internal.base.Telling;
import dev.blitz.io.internal.base.Values;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@link Future#andThen}: the first future, then the one made from its result.
 *
 * <p>If that is an andThen again, this one takes its place instead of polling it: a function that
 * continues with itself runs for any number of rounds in the same space. Each round is charged, as
 * one of a loop is.
 */
final class AndThenFuture<T, U> implements Future<U> {
  private Future<?> current;

  /** What makes the next future; null once {@link #current} is the last one. */
  private @Nullable ThrowingFunction<Object, ? extends Future<?>> next;

  /** Whether it has taken the place of one that throws nothing checked. */
  private boolean unchecked;

  /** The same for one that throws nothing checked but an IOException. */
  private boolean io;

  @SuppressWarnings("unchecked") // it is given the result of first, a T
  AndThenFuture(Future<T> first, ThrowingFunction<? super T, ? extends Future<? extends U>> next) {
    this.current = first;
    this.next =
        (ThrowingFunction<Object, ? extends Future<?>>)
            (ThrowingFunction<?, ?>) Objects.requireNonNull(next, "next");
  }

  @Override
  public @Nullable U poll(Context cx) throws Exception {
    try {
      return advance(cx);
    } catch (Exception e) {
      throw unchecked ? Telling.unchecked(e) : io ? Telling.io(e) : e;
    }
  }

  @SuppressWarnings("unchecked") // next tells whether current is the last one
  private @Nullable U advance(Context cx) throws Exception {
    for (; ; ) {
      var make = next;
      Object value = current.poll(cx);
      if (make == null || value == null) {
        return (U) value;
      }
      next = null;
      current =
          Values.nonNull(
              make.apply(value), "andThen function", make, "Futures.done() for no result");
      if (takesPlaceOf(current) && !cx.proceed()) {
        return null;
      }
    }
  }

  private boolean takesPlaceOf(Future<?> made) {
    Future<?> f =
        switch (made) {
          case Unchecked<?> u -> u.inner();
          case IoNarrowed<?> narrowed -> narrowed.inner();
          default -> made;
        };
    if (!(f instanceof AndThenFuture<?, ?> tail)) {
      return false;
    }
    unchecked |= tail.unchecked || made instanceof Unchecked;
    io |= tail.io || made instanceof IoNarrowed;
    current = tail.current;
    next = tail.next;
    return true;
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
