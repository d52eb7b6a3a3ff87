package dev.blitz.io.internal.timer;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The wheel itself, without a lock: levels of slots, each slot a list of entries in the order they
 * came, two lists for what lies beyond the last level, and one for entries that are fresh: they
 * have a duration, and get their deadline when {@link #admit} is told the time.
 *
 * <p>Not thread-safe. {@code docs/design/timer.md} proves what is only stated here.
 */
final class WheelSlots {
  /*
   * Vocabulary. A tick is written in digits of slotBits bits; a block of level n is the range of
   * ticks that share all digits from n upwards. cursor is how far the wheel has been processed, now
   * is how far it shall be; they differ only between two batches of one advance.
   *
   * Invariants, between calls:
   *   Place    an entry due at d is on the level of the highest digit in which d and cursor
   *            differ, in the slot that this digit of d names; beyond the last level, in overflow.
   *   Ahead    so an occupied slot is never behind cursor's own, and on levels above 0 is after it:
   *            no level wraps around.
   *   Order    all of level n comes before all of level n + 1, which comes before overflow.
   *   Bound    earliest[p] <= every deadline in list p; equal to the least unless that was
   *            cancelled; MAX_VALUE when the list is empty.
   *   Exception: the list `cascading`, if there is one, is a slot that cursor has entered and whose
   *            entries have not all been moved down yet. It comes first, and new entries that
   *            belong under it queue up behind (floorLevel), so that equal ticks stay in order.
   */

  static final int NONE = -1;

  private final int number;
  final int levels;
  final int slotBits;
  private final int slotMask;

  /** Level by the number of the highest differing bit: a look-up instead of a division. */
  private final byte[] levelOfBit = new byte[Long.SIZE];

  /** One list per slot, level by level, then the two that take turns as overflow, then fresh. */
  final @Nullable TimerEntry[] heads;

  final long[] earliest;

  /** Per level, bit n set while slot n has entries. */
  final long[] occupied;

  final int fresh;
  int overflow;
  int cascading = NONE;
  private int floorLevel;
  long cursor;
  private long now;
  private int size;

  WheelSlots(int number, int levels, int slotBits) {
    if (levels < 1
        || slotBits < 1
        || slotBits > 6
        || levels * slotBits >= Long.SIZE - 1
        || (levels << slotBits) + 3 > TimerState.MAX_POSITIONS) {
      throw new IllegalArgumentException(levels + " levels of 2^" + slotBits + " slots");
    }
    this.number = number;
    this.levels = levels;
    this.slotBits = slotBits;
    this.slotMask = (1 << slotBits) - 1;
    this.overflow = levels << slotBits;
    this.fresh = overflow + 2;
    this.heads = new @Nullable TimerEntry[fresh + 1];
    this.earliest = new long[fresh + 1];
    this.occupied = new long[levels];
    Arrays.fill(earliest, Long.MAX_VALUE);
    for (int bit = 0; bit < Long.SIZE; bit++) {
      levelOfBit[bit] = (byte) Math.min(bit / slotBits, levels);
    }
  }

  int size() {
    return size;
  }

  /** The latest time this wheel has been told. */
  long now() {
    return now;
  }

  /** Moves the time forwards; {@link #collect} then catches up. Never moves it back. */
  void tell(long nowTick) {
    now = Math.max(now, nowTick);
  }

  /** Takes in an entry that is not pending. A deadline that has passed is due now. */
  void insert(TimerEntry entry, long deadlineTick) {
    long tick = Math.max(deadlineTick, now);
    int position = positionFor(tick);
    entry.enter(number, position, tick);
    append(entry, position);
    size++;
  }

  /** Takes in an entry that is not pending, to be due so long after the next {@link #admit}. */
  void insertFresh(TimerEntry entry, long nanos) {
    if (heads[fresh] == null) {
      heads[fresh] = new FirstFresh();
    }
    entry.enterFresh(number, fresh, nanos);
    append(entry, fresh);
    size++;
  }

  /** Perhaps none but the {@link FirstFresh}. */
  boolean hasFresh() {
    return heads[fresh] != null;
  }

  /**
   * Gives fresh entries their deadlines, counted from {@code nowNanos}.
   *
   * @param atMost how many of them
   * @return the earliest of these deadlines
   */
  long admit(long nowNanos, int atMost) {
    catchUp(TickClock.tickAtOrBefore(nowNanos));
    long least = Long.MAX_VALUE;
    for (int left = atMost; left > 0 && hasFresh(); left--) {
      var entry = requireNonNull(heads[fresh]);
      unlink(entry, fresh);
      if (entry instanceof FirstFresh) {
        continue;
      }
      long tick = TickClock.tickAtOrAfter(TickClock.plus(nowNanos, entry.freshNanos()));
      tick = Math.max(tick, now);
      int position = positionFor(tick);
      entry.admit(position, tick);
      append(entry, position);
      least = Math.min(least, tick);
    }
    return least;
  }

  /** Moves the time and the cursor forwards if nothing lies between: new entries then lie lower. */
  private void catchUp(long nowTick) {
    if (nowTick > now && cascading == NONE && startOf(firstPosition()) > nowTick) {
      now = nowTick;
      cursor = nowTick;
    }
  }

  /** Takes an entry out that is pending; whether its list is empty now. */
  boolean remove(TimerEntry entry) {
    int position = entry.position();
    unlink(entry, position);
    entry.leave();
    size--;
    return heads[position] == null;
  }

  /** Takes entries out that are pending, whichever; as many as the batch is long. */
  int takeAny(@Nullable TimerEntry[] batch) {
    int taken = 0;
    for (int position = 0; position < heads.length; position++) {
      while (heads[position] != null && taken < batch.length) {
        var entry = requireNonNull(heads[position]);
        if (entry instanceof FirstFresh) {
          unlink(entry, position);
        } else {
          remove(entry);
          batch[taken++] = entry;
        }
      }
    }
    return taken;
  }

  /**
   * The earliest deadline, or something earlier: when a slot is only partly cascaded, and when the
   * earliest entry of the first slot was removed and others remain there. MAX_VALUE when empty.
   */
  long nextTick() {
    return cascading != NONE ? cursor : earliest[firstPosition()];
  }

  /**
   * Expires entries that are due, in the order of their ticks, and cascades whatever is in the way:
   * as many of both together as the batch is long.
   *
   * @return how many were put into the batch; all that is due is done when {@code nextTick() > now}
   */
  int collect(@Nullable TimerEntry[] batch) {
    int taken = 0;
    for (int steps = batch.length; steps > 0; ) {
      int position = cascading;
      if (position == NONE) {
        position = firstPosition();
        long start = startOf(position);
        if (start > now || heads[position] == null) {
          cursor = now;
          return taken;
        }
        cursor = start;
      }
      if (position <= slotMask) {
        for (; steps > 0 && heads[position] != null; steps--) {
          var entry = requireNonNull(heads[position]);
          unlink(entry, position);
          entry.expire();
          size--;
          batch[taken++] = entry;
        }
      } else {
        steps = cascade(position, steps);
      }
    }
    return taken;
  }

  /** Moves entries of a list that cursor has entered to where they belong now. */
  private int cascade(int position, int steps) {
    int left = steps;
    int level = Math.min(position >>> slotBits, levels);
    if (level == levels && cascading == NONE) {
      overflow ^= 1; // what is still too far away goes to the other list
    }
    cascading = position;
    floorLevel = 0;
    for (; left > 0 && heads[position] != null; left--) {
      var entry = requireNonNull(heads[position]);
      unlink(entry, position);
      int lower = positionFor(entry.deadlineTick());
      entry.move(lower);
      append(entry, lower);
    }
    if (cascading != NONE) {
      floorLevel = level;
    }
    return left;
  }

  private int positionFor(long tick) {
    int highestBit = Long.SIZE - 1 - Long.numberOfLeadingZeros((cursor ^ tick) | 1);
    int level = Math.max(levelOfBit[highestBit], floorLevel);
    if (level == levels) {
      return floorLevel == levels ? cascading : overflow;
    }
    return (level << slotBits) | ((int) (tick >>> (level * slotBits)) & slotMask);
  }

  /** The first slot that is occupied, by Order; the overflow list when none is. */
  private int firstPosition() {
    for (int level = 0; level < levels; level++) {
      if (occupied[level] != 0) {
        return (level << slotBits) | Long.numberOfTrailingZeros(occupied[level]);
      }
    }
    return overflow;
  }

  /** When cursor enters a list: its slot's first tick, or that of overflow's earliest block. */
  private long startOf(int position) {
    if (position == overflow) {
      int span = levels * slotBits;
      return earliest[overflow] >>> span << span;
    }
    int shift = (position >>> slotBits) * slotBits;
    long block = cursor >>> (shift + slotBits) << (shift + slotBits);
    return block | ((long) (position & slotMask) << shift);
  }

  private void append(TimerEntry entry, int position) {
    long tick = entry.deadlineTick();
    var head = heads[position];
    if (head == null) {
      heads[position] = entry;
      entry.prev = entry;
      earliest[position] = tick;
      if (position >>> slotBits < levels) {
        occupied[position >>> slotBits] |= 1L << (position & slotMask);
      }
      return;
    }
    var last = requireNonNull(head.prev);
    last.next = entry;
    entry.prev = last;
    head.prev = entry;
    if (tick < earliest[position]) {
      earliest[position] = tick;
    }
  }

  private void unlink(TimerEntry entry, int position) {
    var before = requireNonNull(entry.prev);
    var after = entry.next;
    boolean first = before.next == null; // the first one's prev is the last one
    if (first) {
      heads[position] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.prev = before;
    } else if (first) {
      vacate(position);
    } else {
      requireNonNull(heads[position]).prev = before;
    }
    entry.prev = null;
    entry.next = null;
  }

  private void vacate(int position) {
    earliest[position] = Long.MAX_VALUE;
    if (position >>> slotBits < levels) {
      occupied[position >>> slotBits] &= ~(1L << (position & slotMask));
    }
    if (position == cascading) {
      cascading = NONE;
      floorLevel = 0;
    }
  }

  /**
   * Leads the list of the fresh from their first insert to the next admit, and is young like them.
   * Without it most cancels would store into {@code heads}, an old array, for which G1 has a full
   * fence.
   */
  static final class FirstFresh extends TimerEntry {
    FirstFresh() {
      prev = this;
    }

    @Override
    protected void fire() {
      throw new AssertionError("not a timer");
    }
  }
}
