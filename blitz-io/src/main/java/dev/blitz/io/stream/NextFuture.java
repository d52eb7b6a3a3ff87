package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link Source#next}. */
final class NextFuture<T> implements Future<Optional<T>> {
  private final Source<T> source;
  private boolean ended;

  NextFuture(Source<T> source) {
    this.source = source;
  }

  @Override
  @SuppressWarnings("NullableOptional") // null is what a pending future yields
  public @Nullable Optional<T> poll(Context cx) throws Exception {
    if (ended) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    ended = true; // unless it turns out to be pending
    T item = source.pollNext(cx);
    if (item != null) {
      return Optional.of(item);
    }
    ended = source.hasEnded();
    return ended ? Optional.empty() : null;
  }

  @Override
  public void drop() {
    if (!ended) {
      ended = true;
      source.forgetNext();
    }
  }

  @Override
  public String toString() {
    return "the next of " + source;
  }
}
