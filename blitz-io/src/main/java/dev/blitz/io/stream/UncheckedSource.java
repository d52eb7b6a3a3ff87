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
import java.util.List;
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
    return new StageSource.Unchecked<>(new Leaves.Unfold<>(next));
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
