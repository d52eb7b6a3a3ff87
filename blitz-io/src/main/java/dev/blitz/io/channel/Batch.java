package dev.blitz.io.channel;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Messages that were received together. It is made before the first is taken, with room for all, so
 * that nothing can fail while a message is in nobody's hands.
 */
final class Batch<T> extends AbstractList<T> implements RandomAccess {
  final @Nullable Object[] messages;
  int size;

  Batch(int capacity) {
    messages = new Object[capacity];
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are put in
  public T get(int index) {
    return (T) Objects.requireNonNull(messages[Objects.checkIndex(index, size)]);
  }

  @Override
  public int size() {
    return size;
  }
}
