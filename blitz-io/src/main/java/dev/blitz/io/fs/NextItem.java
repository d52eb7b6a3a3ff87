package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@link FileItems#next}. */
final class NextItem<T> implements IoFuture<Optional<T>> {
  private final FileItems<T> items;

  NextItem(FileItems<T> items) {
    this.items = items;
  }

  @Override
  @SuppressWarnings("NullableOptional") // null is pending
  public @Nullable Optional<T> poll(Context cx) throws IOException {
    T item = items.pollNext(cx);
    return item != null ? Optional.of(item) : items.hasEnded() ? Optional.empty() : null;
  }

  @Override
  public void drop() {
    items.forgetNext();
  }

  @Override
  public String toString() {
    return "the next of " + items;
  }
}
