package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A work-stealing deque: its owner pushes and pops at the bottom, thieves take single elements from
 * the top. Grows when full; {@link #clearGarbage} brings it back to its first size once it is
 * empty.
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
 * pop lowers bottom, then reads top; steal reads top, then bottom. A full fence stands between the two accesses on
 * both sides, so not both can miss the other: without either one an element could be taken twice.
 *
 * The first array is put back only by its owner, and only after it has seen the deque empty: whoever read an element
 * of the old array before has a top that was moved since, so its CAS fails.
 *
 * Growth copies live elements to a larger array and leaves the old one as it is. A thief that holds the old array
 * finds at its index what was there when the array was replaced; if that element has been taken since, top has moved
 * and its CAS fails.
 *
 * Indices are longs that grow without end; slots are found by masking, distances by subtraction, so wrapping is
 * harmless.
 *
 * Lineage: Chase and Lev's deque with the orderings of Le, Pop, Cohen and Zappa Nardelli; the array is immutable
 * garbage after growth, so nothing is freed under a thief.
 */
final class ChaseLevDeque<T> extends ChaseLevDequeTailPadding {
  private static final VarHandle TOP = Fields.of(MethodHandles.lookup(), "top", long.class);
  private static final VarHandle BOTTOM = Fields.of(MethodHandles.lookup(), "bottom", long.class);
  private static final VarHandle SLOTS = Fields.of(MethodHandles.lookup(), "slots", Object[].class);
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private final int firstCapacity;

  /** For tests: a first index near the end of its range, and a small array. */
  ChaseLevDeque(int capacity, long firstIndex) {
    if (Integer.bitCount(capacity) != 1) {
      throw new IllegalArgumentException("capacity must be a power of two: " + capacity);
    }
    firstCapacity = capacity;
    slots = new Object[capacity];
    top = firstIndex;
    bottom = firstIndex;
    clearedTo = firstIndex;
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

  /**
   * Thief: takes the oldest element if it passes the test; null when it does not, or there is none.
   */
  @SuppressWarnings("unchecked") // only push writes elements
  <P> @Nullable T stealIf(BiPredicate<? super T, ? super P> test, P parameter) {
    while (true) {
      long t = (long) TOP.getAcquire(this);
      VarHandle.fullFence();
      long b = (long) BOTTOM.getAcquire(this);
      if (b - t <= 0) {
        return null;
      }
      @Nullable Object[] array = (@Nullable Object[]) SLOTS.getAcquire(this);
      Object element = SLOT.getAcquire(array, (int) t & (array.length - 1));
      // Null: taken meanwhile, so top has moved.
      if (element != null) {
        if (!test.test((T) element, parameter)) {
          return null;
        }
        if (TOP.compareAndSet(this, t, t + 1)) {
          return (T) element;
        }
      }
      Spinning.yieldProcessor();
    }
  }

  /** Anyone: the oldest element, which may be taken already; null when there is none. */
  @SuppressWarnings("unchecked") // only push writes elements
  @Nullable T peekOldest() {
    long t = (long) TOP.getAcquire(this);
    if ((long) BOTTOM.getAcquire(this) - t <= 0) {
      return null;
    }
    @Nullable Object[] array = (@Nullable Object[]) SLOTS.getAcquire(this);
    return (T) SLOT.getAcquire(array, (int) t & (array.length - 1));
  }

  /** Owner: the index of the next element. */
  long bottom() {
    return (long) BOTTOM.getOpaque(this);
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

  /** Owner: drops references to stolen elements, and a large array that is not needed any more. */
  void clearGarbage() {
    long t = (long) TOP.getAcquire(this);
    long b = (long) BOTTOM.getOpaque(this);
    @Nullable Object[] array = slots;
    if (b - t <= 0 && array.length > firstCapacity && shrink()) {
      clearedTo = t;
      return;
    }
    // Popped elements are gone already. Of the stolen ones only those whose slots were not used
    // again.
    long from = b - array.length - clearedTo > 0 ? b - array.length : clearedTo;
    for (long i = from; i - t < 0; i++) {
      SLOT.setOpaque(array, (int) i & (array.length - 1), null);
    }
    clearedTo = t;
  }

  private boolean shrink() {
    try {
      SLOTS.setRelease(this, new Object[firstCapacity]);
      return true;
    } catch (OutOfMemoryError full) {
      return false;
    }
  }
}

/*
 * The fields of a ChaseLevDeque, in the order of memory: what thieves write, what the owner writes, each 128 bytes
 * from the other and from other objects, because processors prefetch lines in pairs. A test measures it.
 */
@SuppressWarnings("unused")
abstract class ChaseLevDequePadding {
  long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
  int a16;
}

abstract class ChaseLevDequeThiefFields extends ChaseLevDequePadding {
  @SuppressWarnings("UnusedVariable") // through TOP
  volatile long top;
}

@SuppressWarnings("unused")
abstract class ChaseLevDequeMiddlePadding extends ChaseLevDequeThiefFields {
  long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;
}

abstract class ChaseLevDequeOwnerFields extends ChaseLevDequeMiddlePadding {
  @SuppressWarnings("UnusedVariable") // through BOTTOM
  volatile long bottom;

  /** The owner alone: stolen elements below this index are forgotten. */
  long clearedTo;

  volatile @Nullable Object[] slots = {};
}

@SuppressWarnings("unused")
abstract class ChaseLevDequeTailPadding extends ChaseLevDequeOwnerFields {
  long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;
}
