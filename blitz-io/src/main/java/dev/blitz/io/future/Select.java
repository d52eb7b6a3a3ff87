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
 * earlier one wins ({@link FairOrder} chooses at random); one that used up the budget of a poll
 * without an end comes last in the next, so that the others have their turn. The select throws what
 * its futures do: it is an {@link IoFuture} or an {@link UncheckedFuture} if all of them are. For
 * futures of one type there is {@link Futures#race}; {@link Futures#select} leaves the losers
 * alive; {@link #on} takes handlers, any number of them, and a default.
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

  /** The first future has ended with this value. */
  public record First<A, B, C, D>(A value) implements Of2<A, B>, Of3<A, B, C>, Of4<A, B, C, D> {}

  /** The second future has ended with this value. */
  public record Second<A, B, C, D>(B value) implements Of2<A, B>, Of3<A, B, C>, Of4<A, B, C, D> {}

  /** The third future has ended with this value. */
  public record Third<A, B, C, D>(C value) implements Of3<A, B, C>, Of4<A, B, C, D> {}

  /** The fourth future has ended with this value. */
  public record Fourth<A, B, C, D>(D value) implements Of4<A, B, C, D> {}

  /** The first of two. */
  public static <A, B> Future<Of2<A, B>> first(Future<A> a, Future<B> b) {
    return new SelectFuture<Of2<A, B>>(a, b);
  }

  /** The first of two. */
  public static <A, B> IoFuture<Of2<A, B>> first(IoFuture<A> a, IoFuture<B> b) {
    return new IoNarrowed<>(new SelectFuture<Of2<A, B>>(a, b));
  }

  /** The first of two. */
  public static <A, B> UncheckedFuture<Of2<A, B>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b) {
    return new Unchecked<>(new SelectFuture<Of2<A, B>>(a, b));
  }

  /** The first of three. */
  public static <A, B, C> Future<Of3<A, B, C>> first(Future<A> a, Future<B> b, Future<C> c) {
    return new SelectFuture<Of3<A, B, C>>(a, b, c);
  }

  /** The first of three. */
  public static <A, B, C> IoFuture<Of3<A, B, C>> first(
      IoFuture<A> a, IoFuture<B> b, IoFuture<C> c) {
    return new IoNarrowed<>(new SelectFuture<Of3<A, B, C>>(a, b, c));
  }

  /** The first of three. */
  public static <A, B, C> UncheckedFuture<Of3<A, B, C>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c) {
    return new Unchecked<>(new SelectFuture<Of3<A, B, C>>(a, b, c));
  }

  /** The first of four. */
  public static <A, B, C, D> Future<Of4<A, B, C, D>> first(
      Future<A> a, Future<B> b, Future<C> c, Future<D> d) {
    return new SelectFuture<Of4<A, B, C, D>>(a, b, c, d);
  }

  /** The first of four. */
  public static <A, B, C, D> IoFuture<Of4<A, B, C, D>> first(
      IoFuture<A> a, IoFuture<B> b, IoFuture<C> c, IoFuture<D> d) {
    return new IoNarrowed<>(new SelectFuture<Of4<A, B, C, D>>(a, b, c, d));
  }

  /** The first of four. */
  public static <A, B, C, D> UncheckedFuture<Of4<A, B, C, D>> first(
      UncheckedFuture<A> a, UncheckedFuture<B> b, UncheckedFuture<C> c, UncheckedFuture<D> d) {
    return new Unchecked<>(new SelectFuture<Of4<A, B, C, D>>(a, b, c, d));
  }

  /** Begins a select with handlers: the first future to end has its value passed to its handler. */
  public static <T, R> SelectBuilder<R> on(
      Future<T> future, ThrowingFunction<? super T, ? extends R> handler) {
    return new SelectBuilder<R>().on(future, handler);
  }
}
