package dev.blitz.io.future;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes and combines futures. All combinators are lazy, hold what they combine, and drop it when
 * they are dropped. They throw what the futures in them throw: a join, race or select of {@link
 * UncheckedFuture}s is one, and so for {@link IoFuture}s. For a collection that is known to the
 * compiler as a {@link List}; a race of a set of unchecked futures is an IoFuture.
 *
 * {@snippet :
 * Future<Both<Integer, String>> both = Futures.join(Futures.ready(1), Futures.ready("one"));
 * Future<String> faster = Futures.race(Futures.pending(), Futures.ready("now"));
 * }
 */
@CheckReturnValue
public final class Futures {
  private Futures() {}

  /** Whether a {@link #loop} goes on. */
  public enum Step {
    /** Another round. */
    MORE,
    /** The loop ends. */
    STOP
  }

  /** A future that has this value. */
  public static <T> UncheckedFuture<T> ready(T value) {
    return new LeafFutures.Ready<>(value);
  }

  /** A future that has no value but is done. */
  public static UncheckedFuture<Done> done() {
    return new LeafFutures.Ready<>(Done.DONE);
  }

  /** A future that throws {@code cause}. */
  public static <T> Future<T> failed(Exception cause) {
    return new LeafFutures.Failed<>(cause);
  }

  /** A future that never ends; it can only be dropped. */
  @SuppressWarnings("unchecked") // it never yields a value of any type
  public static <T> UncheckedFuture<T> pending() {
    return (UncheckedFuture<T>) LeafFutures.Never.NEVER;
  }

  /** Calls {@code supplier} in the first poll. */
  public static <T> Future<T> lazy(ThrowingSupplier<? extends T> supplier) {
    return new LeafFutures.Lazy<>(supplier);
  }

  /** Runs the futures that {@code body} makes, one after the other, until one yields STOP. */
  public static Future<Done> loop(ThrowingSupplier<? extends Future<Step>> body) {
    return new LoopFuture(body);
  }

  /** Another round of a {@link #loop}. */
  public static UncheckedFuture<Step> more() {
    return ready(Step.MORE);
  }

  /** The end of a {@link #loop}. */
  public static UncheckedFuture<Step> stop() {
    return ready(Step.STOP);
  }

  /** Both results; the first failure drops the other future and is thrown. */
  public static <A, B> Future<Both<A, B>> join(Future<A> first, Future<B> second) {
    return JoinFuture.of(first, second);
  }

  /** Both results; the first failure drops the other future and is thrown. */
  public static <A, B> IoFuture<Both<A, B>> join(IoFuture<A> first, IoFuture<B> second) {
    return new IoNarrowed<>(JoinFuture.of(first, second));
  }

  /** Both results; the first failure drops the other future and is thrown. */
  public static <A, B> UncheckedFuture<Both<A, B>> join(
      UncheckedFuture<A> first, UncheckedFuture<B> second) {
    return new Unchecked<>(JoinFuture.of(first, second));
  }

  /** All three results; the first failure drops the others and is thrown. */
  public static <A, B, C> Future<Three<A, B, C>> join(
      Future<A> first, Future<B> second, Future<C> third) {
    return JoinFuture.of(first, second, third);
  }

  /** All three results; the first failure drops the others and is thrown. */
  public static <A, B, C> IoFuture<Three<A, B, C>> join(
      IoFuture<A> first, IoFuture<B> second, IoFuture<C> third) {
    return new IoNarrowed<>(JoinFuture.of(first, second, third));
  }

  /** All three results; the first failure drops the others and is thrown. */
  public static <A, B, C> UncheckedFuture<Three<A, B, C>> join(
      UncheckedFuture<A> first, UncheckedFuture<B> second, UncheckedFuture<C> third) {
    return new Unchecked<>(JoinFuture.of(first, second, third));
  }

  /** All results in the order given; the first failure drops the others and is thrown. */
  public static <T> Future<List<T>> joinAll(Iterable<? extends Future<? extends T>> futures) {
    return JoinFuture.<T>ofAll(listOf(futures));
  }

  /** All results in the order given; the first failure drops the others and is thrown. */
  public static <T> IoFuture<List<T>> joinAll(Collection<? extends IoFuture<? extends T>> futures) {
    return new IoNarrowed<>(JoinFuture.<T>ofAll(listOf(futures)));
  }

  /** All results in the order given; the first failure drops the others and is thrown. */
  public static <T> UncheckedFuture<List<T>> joinAll(
      List<? extends UncheckedFuture<? extends T>> futures) {
    return new Unchecked<>(JoinFuture.<T>ofAll(listOf(futures)));
  }

  /** How each future ended, in the order of the list; a failure does not disturb the others. */
  public static <T> UncheckedFuture<List<Outcome<T>>> tryJoinAll(
      List<? extends Future<? extends T>> futures) {
    List<OutcomeFuture<T>> outcomes = futures.stream().map(f -> new OutcomeFuture<T>(f)).toList();
    return new Unchecked<>(JoinFuture.<Outcome<T>>ofAll(outcomes));
  }

  /** How one future ended, as a value. */
  public static <T> UncheckedFuture<Outcome<T>> outcome(Future<T> future) {
    return new OutcomeFuture<>(future);
  }

  /**
   * The first future to end, by value or failure; the others are dropped. A task that loses is
   * therefore left alone, unless its handle says {@code cancelOnDrop}.
   */
  public static <T> Future<T> race(Iterable<? extends Future<? extends T>> futures) {
    return new RaceFuture<T>(listOf(futures));
  }

  /**
   * The first future to end, by value or failure; the others are dropped. A task that loses is
   * therefore left alone, unless its handle says {@code cancelOnDrop}.
   */
  public static <T> IoFuture<T> race(Collection<? extends IoFuture<? extends T>> futures) {
    return new IoNarrowed<>(new RaceFuture<T>(listOf(futures)));
  }

  /**
   * The first future to end, by value or failure; the others are dropped. A task that loses is
   * therefore left alone, unless its handle says {@code cancelOnDrop}.
   */
  public static <T> UncheckedFuture<T> race(List<? extends UncheckedFuture<? extends T>> futures) {
    return new Unchecked<>(new RaceFuture<T>(listOf(futures)));
  }

  /** As {@link #race(Iterable)}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T> Future<T> race(Future<? extends T>... futures) {
    return race(Arrays.asList(futures));
  }

  /** As {@link #race(Collection)}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T> IoFuture<T> race(IoFuture<? extends T>... futures) {
    return race(Arrays.asList(futures));
  }

  /** As {@link #race(List)}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T> UncheckedFuture<T> race(UncheckedFuture<? extends T>... futures) {
    return race(Arrays.asList(futures));
  }

  /**
   * The first future to end, and which one it was. The others are left as they are, for the caller
   * to poll, select again or drop. Dropping the select while it is pending drops them all.
   */
  public static <T> Future<Selected<T>> select(Iterable<? extends Future<? extends T>> futures) {
    return new FirstFuture<T>(listOf(futures), false);
  }

  /**
   * The first future to end, and which one it was. The others are left as they are, for the caller
   * to poll, select again or drop. Dropping the select while it is pending drops them all.
   */
  public static <T> IoFuture<Selected<T>> select(
      Collection<? extends IoFuture<? extends T>> futures) {
    return new IoNarrowed<>(new FirstFuture<T>(listOf(futures), false));
  }

  /**
   * The first future to end, and which one it was. The others are left as they are, for the caller
   * to poll, select again or drop. Dropping the select while it is pending drops them all.
   */
  public static <T> UncheckedFuture<Selected<T>> select(
      List<? extends UncheckedFuture<? extends T>> futures) {
    return new Unchecked<>(new FirstFuture<T>(listOf(futures), false));
  }

  private static <F> List<F> listOf(Iterable<F> futures) {
    if (futures instanceof List<F> list) {
      return list;
    }
    List<F> list = new ArrayList<>();
    futures.forEach(list::add);
    return list;
  }

  // --- Narrowing ---

  /**
   * The same future for those who know that it throws nothing checked; what it throws nevertheless
   * arrives as the cause of a {@link java.util.concurrent.CompletionException}.
   */
  public static <T> UncheckedFuture<T> unchecked(Future<T> future) {
    return future instanceof UncheckedFuture<T> u ? u : new Unchecked<>(future);
  }

  /**
   * The same future for those who know that it throws nothing checked but {@link
   * java.io.IOException}; what it throws nevertheless arrives as the cause of one.
   */
  public static <T> IoFuture<T> io(Future<T> future) {
    return future instanceof IoFuture<T> io ? io : new IoNarrowed<>(future);
  }

  /**
   * Waits for a stage. A drop cancels the stage; a cancelled stage throws {@link
   * CancelledException}; a stage that yields null fails, unless it is made with {@link #fromVoid}.
   */
  public static <T> Future<T> from(CompletionStage<T> stage) {
    return new StageFuture<T, T>(stage, null);
  }

  /** Waits for a stage that has no value. */
  public static Future<Done> fromVoid(CompletionStage<@Nullable Void> stage) {
    return new StageFuture<@Nullable Void, Done>(stage, Done.DONE);
  }
}
