package dev.blitz.io.future;

/**
 * Waits for the first of several different futures; the others are dropped and give back everything
 * they hold, so a select in a loop loses nothing.
 *
 * {@snippet :
 * while (true) {
 *   switch (Select.first(inbox.receive(), ticker.tick(), token.cancelled()).await()) {
 *     case First(var message) -> handle(message);
 *     case Second(var tick) -> flush();
 *     case Third(var done) -> {
 *       return;
 *     }
 *   }
 * }
 * }
 *
 * <p>Exactly one future ends, by value or failure; a failure is thrown. If several could end, the
 * earlier one wins ({@link #fair} chooses at random). If all futures are {@link UncheckedFuture}s
 * so is the select. For futures of one type there is {@link Futures#race}; {@link Futures#select}
 * leaves the losers alive; {@link #on} takes handlers, any number of them, and a default.
 */
@CheckReturnValue
public final class Select {
  private Select() {}

  /** Which of two futures ended first. */
  public sealed interface Of2<A, B> permits First, Second {}

  /** Which of three futures ended first. */
  public sealed interface Of3<A, B, C> permits First, Second, Third {}

  /** Which of four futures ended first. */
  public sealed interface Of4<A, B, C, D> permits First, Second, Third, Fourth {}

  /** Which of five futures ended first. */
  public sealed interface Of5<A, B, C, D, E> permits First, Second, Third, Fourth, Fifth {}

  /** The first future has ended with this value. */
  public record First<A, B, C, D, E>(A value)
      implements Of2<A, B>, Of3<A, B, C>, Of4<A, B, C, D>, Of5<A, B, C, D, E> {}

  /** The second future has ended with this value. */
  public record Second<A, B, C, D, E>(B value)
      implements Of2<A, B>, Of3<A, B, C>, Of4<A, B, C, D>, Of5<A, B, C, D, E> {}

  /** The third future has ended with this value. */
  public record Third<A, B, C, D, E>(C value)
      implements Of3<A, B, C>, Of4<A, B, C, D>, Of5<A, B, C, D, E> {}

  /** The fourth future has ended with this value. */
  public record Fourth<A, B, C, D, E>(D value) implements Of4<A, B, C, D>, Of5<A, B, C, D, E> {}

  /** The fifth future has ended with this value. */
  public record Fifth<A, B, C, D, E>(E value) implements Of5<A, B, C, D, E> {}

  /** The first of two. */
  public static <A, B> Future<Of2<A, B>> first(Future<A> a, Future<B> b) {
    return new SelectFuture<>(null, a, b);
  }

  /** The first of two. */
  public static <A, B> UncheckedFuture<Of2<A, B>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b) {
    return new Unchecked<>(new SelectFuture<>(null, a, b));
  }

  /** The first of three. */
  public static <A, B, C> Future<Of3<A, B, C>> first(Future<A> a, Future<B> b, Future<C> c) {
    return new SelectFuture<>(null, a, b, c);
  }

  /** The first of three. */
  public static <A, B, C> UncheckedFuture<Of3<A, B, C>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c) {
    return new Unchecked<>(new SelectFuture<>(null, a, b, c));
  }

  /** The first of four. */
  public static <A, B, C, D> Future<Of4<A, B, C, D>> first(
      Future<A> a, Future<B> b, Future<C> c, Future<D> d) {
    return new SelectFuture<>(null, a, b, c, d);
  }

  /** The first of four. */
  public static <A, B, C, D> UncheckedFuture<Of4<A, B, C, D>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c, UncheckedFuture<D> d) {
    return new Unchecked<>(new SelectFuture<>(null, a, b, c, d));
  }

  /** The first of five. */
  public static <A, B, C, D, E> Future<Of5<A, B, C, D, E>> first(
      Future<A> a, Future<B> b, Future<C> c, Future<D> d, Future<E> e) {
    return new SelectFuture<>(null, a, b, c, d, e);
  }

  /** The first of five. */
  public static <A, B, C, D, E> UncheckedFuture<Of5<A, B, C, D, E>> first(
      UncheckedFuture<A> a,
      UncheckedFuture<B> b,
      UncheckedFuture<C> c,
      UncheckedFuture<D> d,
      UncheckedFuture<E> e) {
    return new Unchecked<>(new SelectFuture<>(null, a, b, c, d, e));
  }

  /**
   * Selects that prefer none of their futures: the order in which they are asked is drawn anew for
   * each select, so of those that are ready each is as likely as the others. Keep it for the loop;
   * the same seed makes the same choices.
   */
  public static FairSelect fair(long seed) {
    return new FairSelect(seed);
  }

  /** Begins a select with handlers: the first future to end has its value passed to its handler. */
  public static <T, R> SelectBuilder<R> on(
      Future<T> future, ThrowingFunction<? super T, ? extends R> handler) {
    return new SelectBuilder<R>(null).on(future, handler);
  }
}
