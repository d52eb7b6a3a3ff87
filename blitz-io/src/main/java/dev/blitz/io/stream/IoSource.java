package dev.blitz.io.stream;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingBiFunction;
import dev.blitz.io.future.ThrowingConsumer;
import dev.blitz.io.future.ThrowingFunction;
import dev.blitz.io.future.ThrowingPredicate;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.policy.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A source that throws nothing checked but {@link IOException}: what is read or accepted. Functions
 * given to its operators may throw other checked exceptions; such a one arrives as the cause of an
 * IOException. In a loop an IOException arrives as an {@link java.io.UncheckedIOException}.
 *
 * {@snippet :
 * try (IoSource<TcpStream> connections = listener.connections()) {
 *   connections.each(connection -> Task.spawn(() -> serve(connection))).await(); // throws IOException
 * }
 * }
 */
@CheckReturnValue
public interface IoSource<T> extends Source<T> {

  @Override
  @Nullable T pollNext(Context cx) throws IOException;

  /** As {@link Source#unfold}, with futures that throw nothing checked but IOException. */
  static <T> IoSource<T> unfold(ThrowingSupplier<? extends IoFuture<Optional<T>>> next) {
    return new StageSource.Io<>(new Leaves.Unfold<>(next, false));
  }

  /** As {@link Source#repeat}, with futures that throw nothing checked but IOException. */
  static <T> IoSource<T> repeat(ThrowingSupplier<? extends IoFuture<Optional<T>>> operation) {
    return new StageSource.Io<>(new Leaves.Unfold<>(operation, true));
  }

  /** As {@link Source#mergeAll}. */
  static <T> IoSource<T> mergeAll(Collection<? extends IoSource<? extends T>> sources) {
    return new StageSource.Io<>(MergeStage.<T>of(sources));
  }

  /** As {@link Source#retry}. */
  static <T> IoSource<T> retry(
      Backoff backoff, ThrowingSupplier<? extends IoSource<? extends T>> attempts) {
    return new StageSource.Io<>(new RetryStage<T>(backoff, attempts));
  }

  // --- Operators ---

  @Override
  default <U> IoSource<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.Map(mapper)));
  }

  @Override
  default IoSource<T> filter(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.Filter(wanted)));
  }

  @Override
  default IoSource<T> take(long count) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.Take(count)));
  }

  @Override
  default IoSource<T> takeWhile(ThrowingPredicate<? super T> wanted) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.TakeWhile(wanted)));
  }

  @Override
  default IoSource<T> skip(long count) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.Skip(count)));
  }

  @Override
  default <R> IoSource<R> scan(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return new StageSource.Io<>(Steps.after(this, new StepKinds.Scan(initial, function)));
  }

  @Override
  default <U> IoSource<U> mapAsync(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Io<>(MapAsyncStage.<T, U>of(this, limit, true, mapper));
  }

  @Override
  default <U> IoSource<U> mapAsyncUnordered(
      int limit, ThrowingFunction<? super T, ? extends Future<? extends U>> mapper) {
    return new StageSource.Io<>(MapAsyncStage.<T, U>of(this, limit, false, mapper));
  }

  @Override
  default <U> IoSource<U> flatMap(
      ThrowingFunction<? super T, ? extends Source<? extends U>> mapper) {
    return new StageSource.Io<>(FlatMapStage.<T, U>of(this, mapper));
  }

  /** As {@link Source#merge(Source)}. */
  default IoSource<T> merge(IoSource<? extends T> other) {
    return new StageSource.Io<>(MergeStage.of(this, other));
  }

  /** As {@link Source#zip(Source, ThrowingBiFunction)}. */
  default <U, R> IoSource<R> zip(
      IoSource<U> other, ThrowingBiFunction<? super T, ? super U, ? extends R> function) {
    return new StageSource.Io<>(ZipStage.<T, U, R>of(this, other, function));
  }

  @Override
  default IoSource<List<T>> chunk(int size) {
    return new StageSource.Io<>(ChunkStage.of(this, size, null));
  }

  @Override
  default IoSource<List<T>> chunk(int size, Duration longest) {
    return new StageSource.Io<>(
        ChunkStage.of(this, size, Objects.requireNonNull(longest, "longest")));
  }

  @Override
  default IoSource<T> throttle(Duration gap) {
    return new StageSource.Io<>(new PaceStages.Throttle<>(this, gap));
  }

  @Override
  default IoSource<T> debounce(Duration quiet) {
    return new StageSource.Io<>(new PaceStages.Debounce<>(this, quiet));
  }

  @Override
  default IoSource<T> timeout(Duration limit) {
    return new StageSource.Io<>(new PaceStages.Timeout<>(this, limit));
  }

  @Override
  default IoSource<T> whenDone(Future.Cleanup cleanup) {
    return new StageSource.Io<>(WhenDoneStage.of(this, cleanup));
  }

  // --- Using it ---

  @Override
  default IoFuture<Optional<T>> next() {
    return Futures.io(new NextFuture<>(this));
  }

  @Override
  default IoFuture<Optional<T>> first() {
    return Futures.io(new Ends.First<>(this));
  }

  @Override
  default <R> IoFuture<R> fold(
      R initial, ThrowingBiFunction<? super R, ? super T, ? extends R> function) {
    return Futures.io(new Ends.Fold<>(this, initial, function));
  }

  @Override
  default <R> IoFuture<R> collect(Collector<? super T, ?, R> collector) {
    return Futures.io(new Ends.Collect<>(this, collector));
  }

  @Override
  default IoFuture<List<T>> toList() {
    return collect(Collectors.toUnmodifiableList());
  }

  @Override
  default IoFuture<Done> each(ThrowingConsumer<? super T> action) {
    return Futures.io(new Ends.Each<>(this, action));
  }
}
