package dev.blitz.io.fs;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is read from files one by one: lines, names. In direct style it is looped over; {@link
 * #next} is the same without a thread. It has one user at a time, and is closed when it is not used
 * to its end. A loop throws {@link java.io.UncheckedIOException}.
 *
 * @param <T> the type of the items
 */
public interface FileItems<T> extends Iterable<T>, AutoCloseable {

  /**
   * The next item; null if there will be none and {@link #hasEnded} says so, or else if there is
   * none yet: then the waker of {@code cx} has been kept.
   */
  @Nullable T pollNext(Context cx) throws IOException;

  /** Whether there are no more items, as of the last {@link #pollNext}; also after a close. */
  boolean hasEnded();

  /** Nobody waits any more for what the last {@link #pollNext} did not find. Loses nothing. */
  void forgetNext();

  /** The next item, or nothing at the end. Dropped, it has taken none. */
  @CheckReturnValue
  default IoFuture<Optional<T>> next() {
    return new NextItem<>(this);
  }

  @Override
  default Iterator<T> iterator() {
    return new ItemIterator<>(this);
  }

  /** Ends it, on any thread. Harmless if repeated. */
  @Override
  void close();
}
