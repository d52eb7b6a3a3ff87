package dev.blitz.io.future;

import java.util.SplittableRandom;

/**
 * Selects without a preference, see {@link Select#fair}. Belongs to one task or thread at a time.
 *
 * {@snippet :
 * FairSelect fair = Select.fair(seed);
 * while (running) {
 *   switch (fair.first(left.receive(), right.receive()).await()) {
 *     case First(var l) -> fromLeft(l);
 *     case Second(var r) -> fromRight(r);
 *   }
 * }
 * }
 */
@CheckReturnValue
public final class FairSelect {
  private final SplittableRandom random;

  FairSelect(long seed) {
    random = new SplittableRandom(seed);
  }

  private int start(int futures) {
    return random.nextInt(futures);
  }

  /** The first of two. */
  public <A, B> Future<Select.Of2<A, B>> first(Future<A> a, Future<B> b) {
    return new SelectFuture<>(start(2), a, b);
  }

  /** The first of two. */
  public <A, B> UncheckedFuture<Select.Of2<A, B>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b) {
    return new Unchecked<>(new SelectFuture<>(start(2), a, b));
  }

  /** The first of three. */
  public <A, B, C> Future<Select.Of3<A, B, C>> first(Future<A> a, Future<B> b, Future<C> c) {
    return new SelectFuture<>(start(3), a, b, c);
  }

  /** The first of three. */
  public <A, B, C> UncheckedFuture<Select.Of3<A, B, C>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c) {
    return new Unchecked<>(new SelectFuture<>(start(3), a, b, c));
  }

  /** Begins a select with handlers. */
  public <T, R> SelectBuilder<R> on(
      Future<T> future, ThrowingFunction<? super T, ? extends R> handler) {
    return new SelectBuilder<R>(random.nextInt() >>> 1).on(future, handler);
  }
}
