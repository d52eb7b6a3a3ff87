package dev.blitz.io.future;

import dev.blitz.io.internal.wait.TimeoutFuture;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A future that throws nothing checked, so that {@link #await()} needs no try block. Functions
 * given to its combinators may still throw a checked exception; it arrives as the cause of a {@link
 * java.util.concurrent.CompletionException}.
 *
 * <p>It is an {@link IoFuture} that happens to throw no {@code IOException}: what takes futures of
 * I/O takes it too, and throws what the widest of them throws.
 */
@FunctionalInterface
public interface UncheckedFuture<T> extends IoFuture<T> {

  @Override
  @Nullable T poll(Context cx);

  @Override
  default T await() {
    return Unchecked.await(this);
  }

  @Override
  @CheckReturnValue
  default <U> UncheckedFuture<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new Unchecked<>(new MapFuture<>(this, mapper));
  }

  @Override
  @CheckReturnValue
  default <U> UncheckedFuture<U> andThen(
      ThrowingFunction<? super T, ? extends Future<? extends U>> next) {
    return new Unchecked<>(new AndThenFuture<>(this, next));
  }

  @Override
  @CheckReturnValue
  default UncheckedFuture<T> recover(ThrowingFunction<? super Exception, ? extends T> handler) {
    return new Unchecked<>(new RecoverFuture<>(this, handler));
  }

  @Override
  @CheckReturnValue
  default UncheckedFuture<T> whenDone(Cleanup cleanup) {
    return new Unchecked<>(new WhenDoneFuture<>(this, cleanup));
  }

  @Override
  @CheckReturnValue
  default UncheckedFuture<T> timeout(Duration limit) {
    return new TimeoutFuture.OfUnchecked<>(limit, this);
  }

  @Override
  @CheckReturnValue
  default UncheckedFuture<T> timeoutAt(Deadline deadline) {
    return new TimeoutFuture.OfUnchecked<>(deadline, this);
  }
}
