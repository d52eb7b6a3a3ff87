package dev.blitz.io.stream;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.internal.base.Telling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A loop over a source, for direct style. It is its own future of the next item, awaited again and
 * again: a loop allocates nothing but what its items are.
 */
final class SourceIterator<T> implements Iterator<T>, Future<Object> {
  private static final Object END = "the end of a source";

  private final Source<T> source;

  /** The next item, if it is there; it belongs to this loop. */
  private @Nullable T item;

  private boolean ended;

  SourceIterator(Source<T> source) {
    this.source = source;
  }

  @Override
  @SuppressWarnings("unchecked") // what is not the end is an item
  public boolean hasNext() {
    if (item == null && !ended) {
      // Always by await: a loop over what is always ready must see a cancel, and let others run.
      Object next;
      try {
        next = await();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw Telling.unchecked(e);
      }
      ended = next == END;
      item = ended ? null : (T) next;
    }
    return item != null;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the source has ended");
    }
    T taken = item;
    item = null;
    if (taken == null) {
      throw new NoSuchElementException("two threads use one iterator");
    }
    return taken;
  }

  @Override
  public @Nullable Object poll(Context cx) throws Exception {
    T next = source.pollNext(cx);
    return next == null && source.hasEnded() ? END : next;
  }

  @Override
  public void drop() {
    source.forgetNext();
  }

  @Override
  public String toString() {
    return "the next of " + source;
  }
}
