package dev.blitz.io.channel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A ring of any capacity from 1, after Vyukov's bounded queue. */
/* Implementation notes
 *
 * Each cell has a stamp. With w = the word of a position (see Buffer):
 *
 *   stamp       | cell
 *   w           | free for the sender at w
 *   w | FULL    | has the message of w
 *   w + lap     | free for the sender one lap later
 *
 * Free and full never coincide, so capacity 1 works. For capacities that are no power of two a lap is
 * counted as the next one: the positions between capacity and lap do not exist, and nobody divides.
 *
 * Orderings
 *   field    | writer                | reader          | mode            | pairs with
 *   stamps   | who claimed the cell  | who will claim  | release/acquire | publishes values[i], or that it is read
 *   values   | who claimed the cell  | the same        | plain           | guarded by the stamp
 * Where the stack is full the stamp is a plain store behind a volatile one: see Buffer, Errors.
 *
 * Lineage: as crossbeam's array queue, with permits in the tail and the closed bit beside them.
 */
final class BoundedRing<T> extends Buffer<T> {
  private static final long FULL = 1;
  private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(long[].class);

  private final @Nullable Object[] values;
  private final long[] stamps;
  private final int capacity;
  private final int mask;

  /** What a word grows by in one round of the ring, and its logarithm. */
  private final long lap;

  private final int lapShift;

  BoundedRing(int capacity) {
    this(capacity, 0);
  }

  /**
   * {@code startLap}: how many rounds the ring pretends to have done; for tests of the overflow.
   */
  BoundedRing(int capacity, long startLap) {
    this(capacity, capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1, startLap);
  }

  private BoundedRing(int capacity, int slotsPerLap, long startLap) {
    super(startLap * slotsPerLap * UNIT);
    this.capacity = capacity;
    mask = slotsPerLap - 1;
    lap = slotsPerLap * UNIT;
    lapShift = Long.numberOfTrailingZeros(lap);
    values = new Object[capacity];
    stamps = new long[capacity];
    for (int i = 0; i < capacity; i++) {
      stamps[i] = startLap * lap + i * UNIT;
    }
    VarHandle.storeStoreFence(); // a channel may be handed over by a race
  }

  @Override
  SendResult trySend(T value) {
    for (int spins = 0; ; spins++) {
      long t = tail;
      long w = t & POSITION;
      if (t != w && !hasRoomBesidePermits(t)) {
        return (t & CLOSED) != 0 ? SendResult.CLOSED : SendResult.FULL;
      }
      int i = index(w);
      if ((long) STAMP.getAcquire(stamps, i) == w) {
        if (TAIL.compareAndSet(this, t, next(w) | (t & PERMITS))) {
          values[i] = value;
          try {
            STAMP.setRelease(stamps, i, w | FULL);
          } catch (VirtualMachineError e) {
            published = true;
            stamps[i] = w | FULL;
          }
          return SendResult.SENT;
        }
        Spin.aside(capacity);
      } else if (head + lap == w) {
        return SendResult.FULL;
      } else {
        Spin.once(spins); // the receiver of one lap ago has claimed the cell, or t is old
      }
    }
  }

  /** The rare part: closed, or some room belongs to the holders of permits. */
  private boolean hasRoomBesidePermits(long t) {
    return (t & CLOSED) == 0 && used(t) + permits(t) < capacity;
  }

  @Override
  void sendReserved(T value) {
    for (int spins = 0; ; spins++) {
      long t = tail;
      long w = t & POSITION;
      int i = index(w);
      if ((long) STAMP.getAcquire(stamps, i) != w) {
        Spin.once(spins); // the permit stands for a cell: its receiver is on the way out
      } else if (TAIL.compareAndSet(this, t, next(w) | ((t & ~POSITION) - PERMIT))) {
        values[i] = value;
        try {
          STAMP.setRelease(stamps, i, w | FULL);
        } catch (VirtualMachineError e) {
          published = true;
          stamps[i] = w | FULL;
        }
        return;
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are put in
  @Nullable T tryReceive() {
    for (int spins = 0; ; spins++) {
      long h = head;
      int i = index(h);
      if ((long) STAMP.getAcquire(stamps, i) == (h | FULL)) {
        if (HEAD.compareAndSet(this, h, next(h))) {
          T value = (T) values[i];
          values[i] = null;
          try {
            STAMP.setRelease(stamps, i, h + lap);
          } catch (VirtualMachineError e) {
            published = true;
            stamps[i] = h + lap;
          }
          return value;
        }
      } else if ((tail & POSITION) == h) {
        return null;
      } else {
        Spin.once(spins); // a sender has claimed the cell, or h is old
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked") // only messages are put in
  @Nullable T peek(long h) {
    int i = index(h);
    return (long) STAMP.getAcquire(stamps, i) == (h | FULL) ? (T) values[i] : null;
  }

  @Override
  boolean claim(long h) {
    int i = index(h);
    if (!HEAD.compareAndSet(this, h, next(h))) {
      return false; // and what was read at h may have been anything
    }
    values[i] = null;
    try {
      STAMP.setRelease(stamps, i, h + lap);
    } catch (VirtualMachineError e) {
      published = true;
      stamps[i] = h + lap;
    }
    return true;
  }

  @Override
  int length() {
    long h = head;
    return Math.clamp(used(tail, h), 0, capacity);
  }

  @Override
  int capacity() {
    return capacity;
  }

  private int index(long w) {
    return (int) (w >>> POSITION_SHIFT) & mask;
  }

  private long next(long w) {
    int i = index(w);
    return i + 1 < capacity ? w + UNIT : w - i * UNIT + lap;
  }

  @Override
  long used(long t) {
    return used(t, head);
  }

  /** How many cells there are from h to t. */
  private long used(long t, long h) {
    int i = index(t);
    int j = index(h);
    long laps = ((t & POSITION) - i * UNIT - (h - j * UNIT)) >> lapShift;
    return laps * capacity + i - j;
  }
}
