package dev.blitz.io.stream;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingPredicate;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.policy.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A source that throws nothing checked: receivers, intervals, collections. Functions given to its
 * operators may still throw a checked exception; it arrives as the cause of a {@link
 * java.util.concurrent.CompletionException}.
 */
@CheckReturnValue
public interface UncheckedSource<T> extends IoSource<T> {

  @Override
  @Nullable T pollNext(Context cx);

  /** As {@link Source#unfold}, with futures that throw nothing checked. */
  static <T> UncheckedSource<T> unfold(
      ThrowingSupplier<? extends UncheckedFuture<Optional<T>>> next) {
    return new StageSource.Unchecked<>(new Leaves.Unfold<>(next, false));
  }

  /** As {@link Source#repeat}, with futures that throw nothing checked. */
  static <T> UncheckedSource<T> repeat(
      ThrowingSupplier<? extends UncheckedFuture<Optional<T>>> operation) {
    return new StageSource.Unchecked<>(new Leaves.Unfold<>(operation, true));
  }

  /** As {@link Source#mergeAll}. */
  static <T> UncheckedSource<T> mergeAll(
      Collection<? extends UncheckedSource<? extends T>> sources) {
    return new StageSource.Unchecked<>(MergeStage.<T>of(sources));
  }

  /** As {@link Source#retry}. */
  static <T> UncheckedSource<T> retry(
      Backoff backoff, ThrowingSupplier<? extends UncheckedSource<? extends T>> attempts) {
    return new StageSource.Unchecked<>(new RetryStage<T>(backoff, attempts));
  }

  // --- Operators ---

  @Override
  default <U> UncheckedSource<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.Map(mapper)));
  }

  @Override
  default UncheckedSource<T> filter(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.Filter(wanted)));
  }

  @Override
  default UncheckedSource<T> take(long count) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.Take(count)));
  }

  @Override
  default UncheckedSource<T> takeWhile(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.TakeWhile(wanted)));
  }

  @Override
  default UncheckedSource<T> skip(long count) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.Skip(count)));
  }

  @Override
  default <R> UncheckedSource<R> scan(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return new StageSource.Unchecked<>(Steps.after(this, new StepKinds.Scan(initial, function)));
  }

  @Override
  default <U> UncheckedSource<U> mapAsync(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Unchecked<>(MapAsyncStage.<T, U>of(this, limit, true, mapper));
  }

  @Override
  default <U> UncheckedSource<U> mapAsyncUnordered(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Unchecked<>(MapAsyncStage.<T, U>of(this, limit, false, mapper));
  }

  @Override
  default <U> UncheckedSource<U> flatMap(
      ThrowingFunction<? super T, ? extends Source<? extends U>> mapper) {
    return new StageSource.Unchecked<>(FlatMapStage.<T, U>of(this, mapper));
  }

  /** As {@link Source#merge(Source)}. */
  default UncheckedSource<T> merge(UncheckedSource<? extends T> other) {
    return new StageSource.Unchecked<>(MergeStage.of(this, other));
  }

  /** As {@link Source#zip(Source, ThrowingBiFunction)}. */
  default <U, R> UncheckedSource<R> zip(
      UncheckedSource<U> other, ThrowingBiFunction<? super T, ? super U, ? extends R> function) {
    return new StageSource.Unchecked<>(ZipStage.<T, U, R>of(this, other, function));
  }

  @Override
  default UncheckedSource<List<T>> chunk(int size) {
    return new StageSource.Unchecked<>(ChunkStage.of(this, size, null));
  }

  @Override
  default UncheckedSource<List<T>> chunk(int size, Duration longest) {
    return new StageSource.Unchecked<>(
        ChunkStage.of(this, size, Objects.requireNonNull(longest, "longest")));
  }

  @Override
  default UncheckedSource<T> throttle(Duration gap) {
    return new StageSource.Unchecked<>(new PaceStages.Throttle<>(this, gap));
  }

  @Override
  default UncheckedSource<T> debounce(Duration quiet) {
    return new StageSource.Unchecked<>(new PaceStages.Debounce<>(this, quiet));
  }

  @Override
  default UncheckedSource<T> timeout(Duration limit) {
    return new StageSource.Unchecked<>(new PaceStages.Timeout<>(this, limit));
  }

  @Override
  default UncheckedSource<T> whenDone(Future.Cleanup cleanup) {
    return new StageSource.Unchecked<>(WhenDoneStage.of(this, cleanup));
  }

  // --- Using it ---

  @Override
  default UncheckedFuture<Optional<T>> next() {
    return Futures.unchecked(new NextFuture<>(this));
  }

  @Override
  default UncheckedFuture<Optional<T>> first() {
    return Futures.unchecked(new Ends.First<>(this));
  }

  @Override
  default <R> UncheckedFuture<R> fold(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return Futures.unchecked(new Ends.Fold<>(this, initial, function));
  }

  @Override
  default <R> UncheckedFuture<R> collect(Collector<? super T, ?, R> collector) {
    return Futures.unchecked(new Ends.Collect<>(this, collector));
  }

  @Override
  default UncheckedFuture<List<T>> toList() {
    return collect(Collectors.toUnmodifiableList());
  }

  @Override
  default UncheckedFuture<Done> each(ThrowingConsumer<? super T> action) {
    return Futures.unchecked(new Ends.Each<>(this, action));
  }
}
