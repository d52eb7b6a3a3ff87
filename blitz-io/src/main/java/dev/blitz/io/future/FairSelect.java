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

  /**
   * All orders are equally likely. To draw only who is first would favour those that come behind
   * one that is never ready.
   */
  int[] order(int futures) {
    int[] order = new int[futures];
    for (int i = 1; i < futures; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  /** The first of two. */
  public <A, B> Future<Select.Of2<A, B>> first(Future<A> a, Future<B> b) {
    return new SelectFuture<>(order(2), a, b);
  }

  /** The first of two. */
  public <A, B> UncheckedFuture<Select.Of2<A, B>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b) {
    return new Unchecked<>(new SelectFuture<>(order(2), a, b));
  }

  /** The first of three. */
  public <A, B, C> Future<Select.Of3<A, B, C>> first(Future<A> a, Future<B> b, Future<C> c) {
    return new SelectFuture<>(order(3), a, b, c);
  }

  /** The first of three. */
  public <A, B, C> UncheckedFuture<Select.Of3<A, B, C>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c) {
    return new Unchecked<>(new SelectFuture<>(order(3), a, b, c));
  }

  /** The first of four. */
  public <A, B, C, D> Future<Select.Of4<A, B, C, D>> first(
      Future<A> a, Future<B> b, Future<C> c, Future<D> d) {
    return new SelectFuture<>(order(4), a, b, c, d);
  }

  /** The first of four. */
  public <A, B, C, D> UncheckedFuture<Select.Of4<A, B, C, D>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c, UncheckedFuture<D> d) {
    return new Unchecked<>(new SelectFuture<>(order(4), a, b, c, d));
  }

  /** The first of five. */
  public <A, B, C, D, E> Future<Select.Of5<A, B, C, D, E>> first(
      Future<A> a, Future<B> b, Future<C> c, Future<D> d, Future<E> e) {
    return new SelectFuture<>(order(5), a, b, c, d, e);
  }

  /** The first of five. */
  public <A, B, C, D, E> UncheckedFuture<Select.Of5<A, B, C, D, E>> first(
      UncheckedFuture<A> a,
      UncheckedFuture<B> b,
      UncheckedFuture<C> c,
      UncheckedFuture<D> d,
      UncheckedFuture<E> e) {
    return new Unchecked<>(new SelectFuture<>(order(5), a, b, c, d, e));
  }

  /** Begins a select with handlers. */
  public <T, R> SelectBuilder<R> on(
      Future<T> future, ThrowingFunction<? super T, ? extends R> handler) {
    return new SelectBuilder<R>(this).on(future, handler);
  }
}
