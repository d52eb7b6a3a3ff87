package dev.blitz.io.fs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A loop in direct style. */
final class ItemIterator<T> implements Iterator<T> {
  private final FileItems<T> items;
  private @Nullable T item;

  ItemIterator(FileItems<T> items) {
    this.items = items;
  }

  @Override
  public boolean hasNext() {
    if (item == null && !items.hasEnded()) {
      try {
        Optional<T> next = new NextItem<>(items).await();
        item = next.orElse(null);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return item != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no more of " + items);
    }
    T taken = item;
    item = null;
    if (taken == null) {
      throw new NoSuchElementException("two threads use one iterator");
    }
    return taken;
  }
}
