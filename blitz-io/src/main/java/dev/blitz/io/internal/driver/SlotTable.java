package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.PinnedLock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects numbers that the kernel may keep: slot index in the low half, generation in the
 * high half, of which the uppermost four bits are free for others. A number outlives its object
 * safely: once removed it finds nothing, also after the slot has been taken again. Thread safe;
 * {@link #find} takes no lock.
 */
/* Implementation notes
 *
 *   field   | writer         | reader | mode
 *   entries | insert, remove | find   | volatile array reference
 *   item    | remove         | find   | volatile; null once the object has been removed
 *   free    | insert, remove |        | under the lock: not a monitor, for which a virtual thread would leave its carrier
 *
 * Memory is taken before anything changes, so that a lack of it changes nothing; removing takes none.
 *
 * A cell is published by the volatile write of `entries` that follows each change (growing or not), and a
 * reader begins with the volatile read. The kernel hands a number out only after insert has returned it, so
 * find on the number of a live object always sees it; a stale cell costs one missed look of a dead number.
 * The generation of a slot is 28 bits and changes on each insert: it would take two hundred million
 * sockets in one slot while a completion of the first is still on its way to mix two up.
 */
public final class SlotTable<T> {
  private static final int LAST_GENERATION = (1 << 28) - 1;

  private static final class Entry<T> {
    final int generation;
    volatile @Nullable T item;

    Entry(int generation, @Nullable T item) {
      this.generation = generation;
      this.item = item;
    }
  }

  private volatile Entry<T>[] entries;
  private int[] free;
  private int freeCount;
  private int size;
  private final PinnedLock lock = new PinnedLock();

  /** {@code capacity}: slots at first; it doubles when they run out. */
  public SlotTable(int capacity) {
    entries = newArray(Math.max(1, capacity));
    free = new int[entries.length];
    for (int i = entries.length - 1; i >= 0; i--) {
      free[freeCount++] = i;
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a class that only this class fills
  private static <T> Entry<T>[] newArray(int length) {
    Entry<T>[] array = (Entry<T>[]) new Entry[length];
    Arrays.fill(array, new Entry<T>(0, null));
    return array;
  }

  /** Gives {@code item} a number, which is never 0, and whose uppermost four bits are 0. */
  public long insert(T item) {
    lock.lock();
    try {
      Entry<T>[] now = entries;
      if (freeCount == 0) {
        now = grow(now);
      }
      int index = free[freeCount - 1];
      int generation = now[index].generation + 1 & LAST_GENERATION;
      if (generation == 0) {
        generation = 1;
      }
      now[index] = new Entry<>(generation, item);
      freeCount--;
      entries = now;
      size++;
      return (long) generation << 32 | index;
    } finally {
      lock.unlock();
    }
  }

  private Entry<T>[] grow(Entry<T>[] now) {
    int length = now.length;
    Entry<T>[] larger = newArray(2 * length);
    System.arraycopy(now, 0, larger, 0, length);
    int[] more = new int[2 * length];
    entries = larger;
    free = more;
    for (int i = 2 * length - 1; i >= length; i--) {
      free[freeCount++] = i;
    }
    return larger;
  }

  /** The object of {@code key}, or null if it has been removed. */
  public @Nullable T find(long key) {
    Entry<T>[] now = entries;
    int index = (int) key;
    if (index < 0 || index >= now.length) {
      return null;
    }
    Entry<T> entry = now[index];
    return entry.generation == (int) (key >>> 32) ? entry.item : null;
  }

  /** Takes the object of {@code key} out; false if that has happened before. */
  public boolean remove(long key) {
    int index = (int) key;
    int generation = (int) (key >>> 32);
    lock.lock();
    try {
      Entry<T>[] now = entries;
      if (index < 0
          || index >= now.length
          || now[index].generation != generation
          || now[index].item == null) {
        return false;
      }
      now[index].item = null;
      free[freeCount++] = index;
      size--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** How many objects are in. */
  public int size() {
    lock.lock();
    try {
      return size;
    } finally {
      lock.unlock();
    }
  }

  /** How many slots there are, which only grows. */
  public int slots() {
    return entries.length;
  }

  /** The object in a slot, or null: to look at all there are without memory for a list. */
  public @Nullable T at(int slot) {
    return entries[slot].item;
  }
}
