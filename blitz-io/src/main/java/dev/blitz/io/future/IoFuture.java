package dev.blitz.io.future;

import dev.blitz.io.internal.wait.TimeoutFuture;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A future that throws nothing checked but {@link IOException}: what every I/O operation returns.
 * Functions given to its combinators may throw other checked exceptions; such a one arrives as the
 * cause of an IOException.
 *
 * {@snippet :
 * int n = stream.read(buffer).await(); // throws IOException
 * IoFuture<String> line = stream.read(buffer).map(count -> decode(buffer.flip()));
 * }
 */
@FunctionalInterface
public interface IoFuture<T> extends Future<T> {

  @Override
  @Nullable T poll(Context cx) throws IOException;

  @Override
  default T await() throws IOException {
    return IoNarrowed.await(this);
  }

  @Override
  @CheckReturnValue
  default <U> IoFuture<U> map(ThrowingFunction<? super T, ? extends U> mapper) {
    return new IoNarrowed<>(new MapFuture<>(this, mapper));
  }

  @Override
  @CheckReturnValue
  default <U> IoFuture<U> andThen(ThrowingFunction<? super T, ? extends Future<? extends U>> next) {
    return new IoNarrowed<>(new AndThenFuture<>(this, next));
  }

  @Override
  @CheckReturnValue
  default IoFuture<T> recover(ThrowingFunction<? super Exception, ? extends T> handler) {
    return new IoNarrowed<>(new RecoverFuture<>(this, handler));
  }

  @Override
  @CheckReturnValue
  default IoFuture<T> whenDone(Cleanup cleanup) {
    return new IoNarrowed<>(new WhenDoneFuture<>(this, cleanup));
  }

  @Override
  @CheckReturnValue
  default IoFuture<T> timeout(Duration limit) {
    return new TimeoutFuture.OfIo<>(limit, this);
  }

  @Override
  @CheckReturnValue
  default IoFuture<T> timeoutAt(Deadline deadline) {
    return new TimeoutFuture.OfIo<>(deadline, this);
  }
}
