package dev.blitz.io.future;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Makes and combines futures. All combinators are lazy, hold what they combine, and drop it when
 * they are dropped.
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

  /** Lets other tasks run once. */
  public static UncheckedFuture<Done> yieldNow() {
    return new LeafFutures.Yield();
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
  @SuppressWarnings({"unchecked", "NullAway"}) // all results are there when the join assembles them
  public static <A, B> Future<Both<A, B>> join(Future<A> first, Future<B> second) {
    return new JoinFuture<>(r -> new Both<>((A) r[0], (B) r[1]), first, second);
  }

  /** All three results; the first failure drops the others and is thrown. */
  @SuppressWarnings({"unchecked", "NullAway"}) // as above
  public static <A, B, C> Future<Three<A, B, C>> join(
      Future<A> first, Future<B> second, Future<C> third) {
    return new JoinFuture<>(r -> new Three<>((A) r[0], (B) r[1], (C) r[2]), first, second, third);
  }

  /** All results in the order of the list; the first failure drops the others and is thrown. */
  public static <T> Future<List<T>> joinAll(List<? extends Future<? extends T>> futures) {
    return JoinFuture.ofAll(futures);
  }

  /** How each future ended, in the order of the list; a failure does not disturb the others. */
  public static <T> UncheckedFuture<List<Outcome<T>>> tryJoinAll(
      List<? extends Future<? extends T>> futures) {
    List<SettledFuture<T>> settled = futures.stream().map(f -> new SettledFuture<T>(f)).toList();
    return new Unchecked<>(JoinFuture.<Outcome<T>>ofAll(settled));
  }

  /** How one future ended, as a value. */
  public static <T> UncheckedFuture<Outcome<T>> settled(Future<T> future) {
    return new SettledFuture<>(future);
  }

  /** The first future to end, by value or failure; the others are dropped. */
  public static <T> Future<T> race(List<? extends Future<? extends T>> futures) {
    return new FirstFuture<T>(futures, true).map(Selected::value);
  }

  /** The first future to end, by value or failure; the others are dropped. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T> Future<T> race(Future<? extends T>... futures) {
    return race(Arrays.asList(futures));
  }

  /**
   * The first future to end, and which one it was. The others are left as they are, for the caller
   * to poll, select again or drop. Dropping the select while it is pending drops them all.
   */
  public static <T> Future<Selected<T>> select(List<? extends Future<? extends T>> futures) {
    return new FirstFuture<>(futures, false);
  }

  /** As {@link #select(List)}. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T> Future<Selected<T>> select(Future<? extends T>... futures) {
    return select(Arrays.asList(futures));
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
