package dev.blitz.io.stream;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingPredicate;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values over time, pulled by whoever uses them. The receivers of channels, broadcasts and watches
 * are sources, and so is an interval.
 *
 * {@snippet :
 * try (Source<Price> prices = channel.receiver().map(this::parse).filter(Price::valid)) {
 *   for (Price price : prices) { // waits for each; ends with the source
 *     show(price);
 *   }
 * }
 * Future<Long> sum = Source.of(1, 2, 3).fold(0L, Long::sum); // the same without a thread
 * }
 *
 * <p>A source has one user at a time, as a future has one owner: a loop, a future made of it, or
 * the operator it was given to. What is given to an operator belongs to that from then on. It is
 * used once: an operator makes a new source and a second one on the same source is refused.
 *
 * <p>It ends when there are no more items, with a failure, or by {@link #close}; it then gives back
 * all that it holds, and so does what it was made from. Whoever leaves a loop early, by a break or
 * an exception, closes the source, best by a try block. A close may come from any thread at any
 * time, also from the functions of its operators: then the poll under way is the last. A loop ends,
 * a future such as {@link #fold} throws {@link dev.blitz.io.future.CancelledException}.
 *
 * <p>A wait for the next item that is dropped, by a time-out or a select, has lost nothing: the
 * item is the next one of whoever asks next.
 *
 * <p>The functions of operators run inside the poll, one at a time, and must not block. What they
 * throw ends the source. Operators in a row that need not wait (map, filter, take, takeWhile, skip,
 * scan) take neither stack nor objects for each item, and merges of merges are one merge. Others,
 * one around the other, take stack as futures do: too many of them end the source with a {@link
 * StackOverflowError}, and all are closed.
 *
 * <p>Writing a source by hand: {@link #pollNext} as the poll of a leaf {@link Future}, with {@link
 * #hasEnded} to tell the end from a wait; {@link #forgetNext} as its drop; {@link #close} from any
 * thread.
 *
 * @param <T> the type of the items, which are never null
 */
@CheckReturnValue
public interface Source<T> extends Iterable<T>, AutoCloseable {

  // --- What a source is ---

  /**
   * The next item, or null if there is none now. Then either there will be no more and {@link
   * #hasEnded} says so, or the waker of {@code cx} has been kept, in place of an earlier one, and
   * will be woken when another poll makes sense. A source that may be ready many times in a row
   * charges for each item, as a leaf future does.
   *
   * @throws Exception what the source fails with; unless it says otherwise it has then ended
   */
  @Nullable T pollNext(Context cx) throws Exception;

  /**
   * Whether there are no more items, as of the last {@link #pollNext}; also after {@link #close}.
   * Once true it stays so.
   */
  boolean hasEnded();

  /**
   * Nobody waits any more for what the last {@link #pollNext} did not find: lets go of its waker
   * and passes on a wake that others need. The source is as before otherwise. Must not throw.
   */
  void forgetNext();

  /**
   * Ends the source and gives back all that it holds. On any thread; harmless if repeated. If it is
   * being polled at the moment, that poll does it.
   */
  @Override
  void close();

  // --- Making one ---

  /** These items. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  static <T> UncheckedSource<T> of(T... items) {
    return from(Arrays.asList(items));
  }

  /** No items. */
  static <T> UncheckedSource<T> empty() {
    return new StageSource.Unchecked<>(new Leaves.Empty<>());
  }

  /** No items but this failure. */
  static <T> Source<T> failed(Exception cause) {
    return new StageSource.Any<>(new Leaves.Failed<>(cause));
  }

  /** The items of a collection or another iterable that does not block. */
  static <T> UncheckedSource<T> from(Iterable<? extends T> items) {
    if (items instanceof Source<? extends T> source) {
      return new StageSource.Unchecked<>(Steps.<T>after(source, new StepKinds.Skip(0)));
    }
    return new StageSource.Unchecked<>(new Leaves.Each<>(items));
  }

  /** What {@code supplier} supplies, without end. */
  static <T> Source<T> generate(ThrowingSupplier<? extends T> supplier) {
    return new StageSource.Any<>(new Leaves.Generate<T>(supplier));
  }

  /**
   * The results of futures that {@code next} makes, one after the other, until one is empty.
   *
   * {@snippet :
   * Source<Page> pages = Source.unfold(() -> client.loadNextPage());
   * }
   *
   * <p>The future that is under way is kept when a wait for its item is dropped, and dropped with
   * the source.
   */
  static <T> Source<T> unfold(ThrowingSupplier<? extends Future<Optional<T>>> next) {
    return new StageSource.Any<>(new Leaves.Unfold<>(next, false));
  }

  /**
   * The results of an operation that is done again and again, until one is empty.
   *
   * {@snippet :
   * IoSource<String> lines = IoSource.repeat(() -> reader.readLine()).whenDone(reader::close);
   * }
   *
   * <p>As {@link #unfold}, but for operations that lose nothing when they are dropped, such as a
   * receive, a read or an accept: when a wait is dropped so is the future under way, and others
   * need not wait for it.
   */
  static <T> Source<T> repeat(ThrowingSupplier<? extends Future<Optional<T>>> operation) {
    return new StageSource.Any<>(new Leaves.Unfold<>(operation, true));
  }

  /** The items of all of them as they come, by turns among those that have some. */
  static <T> Source<T> mergeAll(Collection<? extends Source<? extends T>> sources) {
    return new StageSource.Any<>(MergeStage.<T>of(sources));
  }

  /**
   * The items of a source that {@code attempts} makes; if that fails, those of another one, after a
   * pause as {@code backoff} says. When that gives up, the last failure is thrown. Cancellation and
   * Errors are thrown at once. Items are not taken back: an attempt that is to go on where the last
   * one failed has to know where.
   *
   * {@snippet :
   * Source<Event> events = Source.retry(Backoff.exponential(Duration.ofSeconds(1)), () -> subscribe(lastSeen));
   * }
   */
  static <T> Source<T> retry(
      Backoff backoff, ThrowingSupplier<? extends Source<? extends T>> attempts) {
    return new StageSource.Any<>(new RetryStage<T>(backoff, attempts));
  }

  /**
   * The items of a reactive stream. It is subscribed to with the first poll and asked for {@code
   * ahead} items, then for more as they are taken; so many may wait here, and are lost with a
   * close, which cancels the subscription.
   */
  static <T> Source<T> from(Flow.Publisher<? extends T> publisher, int ahead) {
    return new StageSource.Any<>(new PublisherStage<T>(publisher, ahead));
  }

  // --- Operators ---

  /** Each item passed through {@code mapper}. */
  default <U> Source<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.Map(mapper)));
  }

  /** The items that are {@code wanted}. */
  default Source<T> filter(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.Filter(wanted)));
  }

  /** The first {@code count} items; with the last of them this source is closed. */
  default Source<T> take(long count) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.Take(count)));
  }

  /** The items before the first that is not {@code wanted}; with that one this source is closed. */
  default Source<T> takeWhile(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.TakeWhile(wanted)));
  }

  /** All but the first {@code count} items. */
  default Source<T> skip(long count) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.Skip(count)));
  }

  /**
   * For each item what {@code function} makes of it and the result before, the first time of {@code
   * initial}: running sums.
   */
  default <R> Source<R> scan(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return new StageSource.Any<>(Steps.after(this, new StepKinds.Scan(initial, function)));
  }

  /**
   * The results of the futures that {@code mapper} makes of the items, up to {@code limit} of them
   * at a time, in the order of the items.
   *
   * {@snippet :
   * Source<Price> prices = orders.mapAsync(8, order -> client.priceOf(order)); // 8 requests under way
   * }
   *
   * <p>No tasks are started: the futures are polled by whoever uses the source, each when it was
   * woken. They get on only while that one waits for items. A failure comes after the results of
   * the items before.
   */
  default <U> Source<U> mapAsync(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Any<>(MapAsyncStage.<T, U>of(this, limit, true, mapper));
  }

  /**
   * As {@link #mapAsync}, with the results in the order in which they come; a failure comes at
   * once.
   */
  default <U> Source<U> mapAsyncUnordered(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Any<>(MapAsyncStage.<T, U>of(this, limit, false, mapper));
  }

  /**
   * The items of the sources that {@code mapper} makes of the items, one source after the other.
   */
  default <U> Source<U> flatMap(ThrowingFunction<? super T, ? extends Source<? extends U>> mapper) {
    return new StageSource.Any<>(FlatMapStage.<T, U>of(this, mapper));
  }

  /** The items of both as they come, by turns if both have some; ends when both have ended. */
  default Source<T> merge(Source<? extends T> other) {
    return new StageSource.Any<>(MergeStage.of(this, other));
  }

  /**
   * What {@code function} makes of the first items of both, the second ones, and so on. Ends, and
   * closes both, when one of them ends.
   */
  default <U, R> Source<R> zip(
      Source<U> other, ThrowingBiFunction<? super T, ? super U, ? extends R> function) {
    return new StageSource.Any<>(ZipStage.<T, U, R>of(this, other, function));
  }

  /** Lists of {@code size} items; the last one may be shorter. */
  default Source<List<T>> chunk(int size) {
    return new StageSource.Any<>(ChunkStage.of(this, size, null));
  }

  /**
   * As {@link #chunk(int)}, but no list waits for longer than {@code longest} after its first item.
   */
  default Source<List<T>> chunk(int size, Duration longest) {
    return new StageSource.Any<>(
        ChunkStage.of(this, size, Objects.requireNonNull(longest, "longest")));
  }

  /**
   * The same items, at least {@code gap} after each other. None is lost: the next one is asked for
   * when it may come, so a producer that is faster has to wait.
   */
  default Source<T> throttle(Duration gap) {
    return new StageSource.Any<>(new PaceStages.Throttle<>(this, gap));
  }

  /**
   * Each item after which none came for {@code quiet}, and the last one; the others are left out.
   */
  default Source<T> debounce(Duration quiet) {
    return new StageSource.Any<>(new PaceStages.Debounce<>(this, quiet));
  }

  /**
   * The same items; fails with {@link dev.blitz.io.future.TimedOutException} if one is waited for
   * longer than {@code limit}.
   */
  default Source<T> timeout(Duration limit) {
    return new StageSource.Any<>(new PaceStages.Timeout<>(this, limit));
  }

  /**
   * Runs {@code cleanup} exactly once when this source ends in whatever way: no more items, a
   * failure or a close, also before the first poll. What it throws reaches the uncaught handler.
   */
  default Source<T> whenDone(Future.Cleanup cleanup) {
    return new StageSource.Any<>(WhenDoneStage.of(this, cleanup));
  }

  // --- Using it ---

  /** The next item; empty when there are no more. A drop loses nothing. */
  default Future<Optional<T>> next() {
    return new NextFuture<>(this);
  }

  /** The first item, if there is one; then the source is closed. */
  default Future<Optional<T>> first() {
    return new Ends.First<>(this);
  }

  /** What {@code function} makes of {@code initial} and one item after the other. */
  default <R> Future<R> fold(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return new Ends.Fold<>(this, initial, function);
  }

  /** Collects all items. */
  default <R> Future<R> collect(Collector<? super T, ?, R> collector) {
    return new Ends.Collect<>(this, collector);
  }

  /** All items, in an unmodifiable list. */
  default Future<List<T>> toList() {
    return collect(Collectors.toUnmodifiableList());
  }

  /** Calls {@code action} with each item, without a thread; {@link #forEach} is the loop. */
  default Future<Done> each(ThrowingConsumer<? super T> action) {
    return new Ends.Each<>(this, action);
  }

  /**
   * The items as a reactive stream, for one subscriber: further ones are refused. An item is pulled
   * when it was asked for, so the end is told with the request after the last item. A cancelled
   * subscription closes the source. Signals are delivered on {@code executor}, one after the other.
   */
  default Flow.Publisher<T> publisher(Executor executor) {
    return new SourcePublisher<>(this, executor);
  }

  /** A loop over the items, on the calling thread, which waits for each; then closes the source. */
  @Override
  default void forEach(Consumer<? super T> action) {
    try (this) {
      for (T item : this) {
        action.accept(item);
      }
    }
  }

  /**
   * The items, for a loop on the calling thread: {@link Iterator#hasNext} waits for the next one. A
   * failure that is an {@link java.io.IOException} arrives as an {@link
   * java.io.UncheckedIOException}, another checked one as a {@link
   * java.util.concurrent.CompletionException}.
   */
  @Override
  default Iterator<T> iterator() {
    return new SourceIterator<>(this);
  }
}
