package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A work-stealing deque: its owner pushes and pops at the bottom, thieves take single elements from
 * the top. Grows, never shrinks.
 *
 * @param <T> the elements
 */
/*
 * Implementation notes
 *
 * Ownership: push, pop and clearGarbage belong to one thread. top only grows; bottom is the owner's.
 *
 * Orderings:
 *   bottom  owner writes  release in push; opaque plus full fence in pop    thieves acquire
 *   top     all           CAS                                              acquire
 *   slot    owner writes  opaque, before bottom's release                  thieves read acquire, before their CAS
 *   slots   owner writes  release in grow                                  thieves acquire, after top and bottom
 *
 * pop lowers bottom, then reads top; steal reads top, then bottom. A full fence stands between the two accesses on both sides,
 * so not both can miss the other: without either one an element could be taken twice.
 *
 * Growth copies live elements to a larger array and leaves the old one as it is. A thief that holds the old array finds at its
 * index what was there when the array was replaced; if that element has been taken since, top has moved and its CAS fails.
 *
 * Indices are longs that grow without end; slots are found by masking, distances by subtraction, so wrapping is harmless.
 *
 * Lineage: Chase and Lev's deque with the orderings of Le, Pop, Cohen and Zappa Nardelli; the array is immutable garbage after
 * growth, so nothing is freed under a thief.
 */
final class ChaseLevDeque<T> {
  private static final VarHandle TOP;
  private static final VarHandle BOTTOM;
  private static final VarHandle SLOTS;
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  static {
    try {
      var lookup = MethodHandles.lookup();
      TOP = lookup.findVarHandle(ChaseLevDeque.class, "top", long.class);
      BOTTOM = lookup.findVarHandle(ChaseLevDeque.class, "bottom", long.class);
      SLOTS = lookup.findVarHandle(ChaseLevDeque.class, "slots", Object[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through TOP
  private volatile long top;

  @SuppressWarnings("UnusedVariable") // through BOTTOM
  private volatile long bottom;

  private volatile @Nullable Object[] slots;

  /** The owner wrote since the last {@link #clearGarbage}. */
  private boolean dirty;

  /** For tests: a first index near the end of its range, and a small array. */
  ChaseLevDeque(int capacity, long firstIndex) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity must be a power of two: " + capacity);
    }
    slots = new Object[capacity];
    top = firstIndex;
    bottom = firstIndex;
  }

  ChaseLevDeque() {
    this(Tuning.INITIAL_SLOTS, 0);
  }

  /**
   * Owner: adds the youngest element; returns whether the deque was empty, as far as the owner can
   * tell.
   */
  boolean push(T element) {
    long b = (long) BOTTOM.getOpaque(this);
    long t = (long) TOP.getAcquire(this);
    @Nullable Object[] array = slots;
    if (b - t >= array.length) {
      array = grow(array, t, b);
    }
    SLOT.setOpaque(array, (int) b & (array.length - 1), element);
    dirty = true;
    BOTTOM.setRelease(this, b + 1);
    return b - t <= 0;
  }

  private @Nullable Object[] grow(@Nullable Object[] array, long t, long b) {
    @Nullable Object[] larger = new Object[Math.multiplyExact(array.length, 2)];
    for (long i = t; i != b; i++) {
      larger[(int) i & (larger.length - 1)] = SLOT.getOpaque(array, (int) i & (array.length - 1));
    }
    SLOTS.setRelease(this, larger);
    return larger;
  }

  /** Owner: takes the youngest element. */
  @SuppressWarnings("unchecked") // only push writes elements
  @Nullable T pop() {
    long b = (long) BOTTOM.getOpaque(this) - 1;
    @Nullable Object[] array = slots;
    BOTTOM.setOpaque(this, b);
    VarHandle.fullFence();
    long t = (long) TOP.getOpaque(this);
    long left = b - t;
    if (left < 0) {
      BOTTOM.setOpaque(this, b + 1);
      return null;
    }
    int slot = (int) b & (array.length - 1);
    Object element = SLOT.getOpaque(array, slot);
    if (left == 0) {
      // The last one: thieves may be after it, so it is taken the way they take it.
      boolean won = TOP.compareAndSet(this, t, t + 1);
      BOTTOM.setOpaque(this, b + 1);
      if (!won) {
        return null;
      }
    }
    SLOT.setOpaque(array, slot, null);
    return (T) element;
  }

  /**
   * Thief: takes the oldest element; null when there is none. Backs off while others win the race.
   */
  @Nullable T steal() {
    int spins = Tuning.MIN_STEAL_SPINS;
    while (true) {
      long t = (long) TOP.getAcquire(this);
      VarHandle.fullFence();
      long b = (long) BOTTOM.getAcquire(this);
      if (b - t <= 0) {
        return null;
      }
      T element = stealAt(t);
      if (element != null) {
        return element;
      }
      if (spins > Tuning.MAX_STEAL_SPINS) {
        Spinning.yieldProcessor();
      } else {
        Spinning.spin(spins);
        spins <<= 1;
      }
    }
  }

  /** Null: somebody else was faster. */
  @SuppressWarnings("unchecked") // only push writes elements
  private @Nullable T stealAt(long t) {
    @Nullable Object[] array = (@Nullable Object[]) SLOTS.getAcquire(this);
    Object element = SLOT.getAcquire(array, (int) t & (array.length - 1));
    return TOP.compareAndSet(this, t, t + 1) ? (T) element : null;
  }

  boolean isEmpty() {
    return (long) BOTTOM.getAcquire(this) - (long) TOP.getAcquire(this) <= 0;
  }

  /** Owner: drops references to stolen elements, once the deque is empty. */
  void clearGarbage() {
    if (dirty && isEmpty()) {
      dirty = false;
      Arrays.fill(slots, null);
    }
  }
}
