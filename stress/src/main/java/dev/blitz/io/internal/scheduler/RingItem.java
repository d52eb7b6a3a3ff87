package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * What goes through a queue under test. The field is plain and written just before the item is put
 * into the queue: whoever takes the item and reads 0 was handed it without a happens-before.
 */
final class RingItem {
  /** For rings that have room. */
  static final LocalRunQueue.Overflow<RingItem> NO_OVERFLOW =
      (items, count) -> {
        throw new AssertionError(count + " items overflow a ring that has room");
      };

  /** From 1; 0 until it is written. */
  int value;

  static RingItem of(int value) {
    var item = new RingItem();
    item.value = value;
    return item;
  }

  static int valueOf(@Nullable RingItem item) {
    return item == null ? 0 : item.value;
  }

  /** A digit for each, "." for none. */
  static String text(@Nullable RingItem item) {
    return item == null ? "." : Integer.toString(item.value);
  }

  /** Takes all that is left, for the owner or an arbiter. */
  static String drain(LocalRunQueue<RingItem> queue) {
    var text = new StringBuilder();
    for (RingItem i = queue.pop(); i != null; i = queue.pop()) {
      text.append(i.value);
    }
    return text.isEmpty() ? "." : text.toString();
  }

  /** A ring of {@code capacity} with the items 1 to {@code count}, across the wrap of its ints. */
  static LocalRunQueue<RingItem> ring(int capacity, int count) {
    var ring = new LocalRunQueue<RingItem>(capacity, Integer.MAX_VALUE);
    for (int i = 1; i <= count; i++) {
      ring.push(of(i), NO_OVERFLOW);
    }
    return ring;
  }
}
