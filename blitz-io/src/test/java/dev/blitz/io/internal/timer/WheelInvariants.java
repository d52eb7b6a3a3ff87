package dev.blitz.io.internal.timer;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Walks a wheel at rest and checks what the head of {@link WheelSlots} promises. Plain comparisons,
 * because the model test walks some wheel after every step.
 */
final class WheelInvariants {
  private WheelInvariants() {}

  static void check(HierarchicalTimerWheel wheel) {
    var slots = wheel.slots;
    int entries = 0;
    long trueNext = Long.MAX_VALUE;
    for (int position = 0; position < slots.heads.length; position++) {
      long least = Long.MAX_VALUE;
      TimerEntry last = null;
      for (var entry = slots.heads[position]; entry != null; entry = entry.next) {
        if (entry instanceof WheelSlots.FirstFresh) {
          require(position == slots.fresh && last == null, "leads the fresh, list", position);
          last = entry;
          continue;
        }
        entries++;
        least = Math.min(least, entry.deadlineTick());
        checkPlace(slots, entry, position);
        if (last != null) {
          require(Objects.equals(entry.prev, last), "broken link in list", position);
        }
        last = entry;
      }
      checkList(slots, position, least, last);
      if (position != slots.fresh) {
        trueNext = Math.min(trueNext, least);
      }
    }
    require(entries == slots.size(), "entries in lists, size", entries, slots.size());
    require(wheel.nextTick() <= trueNext, "next tick, first deadline", wheel.nextTick(), trueNext);
    require(
        slots.nextTick() <= trueNext,
        "inner next tick, first deadline",
        slots.nextTick(),
        trueNext);
  }

  static void checkEmpty(HierarchicalTimerWheel wheel) {
    check(wheel);
    require(wheel.size() == 0, "timers left", wheel.size());
    require(wheel.nextTick() == Long.MAX_VALUE, "next tick of an empty wheel", wheel.nextTick());
  }

  private static void checkPlace(WheelSlots slots, TimerEntry entry, int position) {
    long due = entry.deadlineTick();
    require(entry.isScheduled(), "state, list", entry.describeState(), position);
    require(entry.position() == position, "state, list", entry.describeState(), position);
    require(entry.isFresh() == (position == slots.fresh), "due, list", due, position);
    if (position == slots.cascading || position == slots.fresh) {
      return;
    }
    // The definition, digit by digit, instead of the wheel's bit tricks.
    int level = slots.levels;
    while (level > 0 && digit(slots, due, level) == digit(slots, slots.cursor, level)) {
      level--;
    }
    long digit = digit(slots, due, level);
    long expected = level == slots.levels ? slots.overflow : level * (1L << slots.slotBits) + digit;
    require(position == expected, "due, cursor, list", due, slots.cursor, position);
    require(
        digit >= digit(slots, slots.cursor, level),
        "due in a slot behind, cursor",
        due,
        slots.cursor);
  }

  /** A digit of a tick; beyond the last level, all that is left. */
  private static long digit(WheelSlots slots, long tick, int level) {
    long rest = tick;
    for (int i = 0; i < level; i++) {
      rest /= 1L << slots.slotBits;
    }
    return level == slots.levels ? rest : rest % (1L << slots.slotBits);
  }

  private static void checkList(
      WheelSlots slots, int position, long least, @Nullable TimerEntry last) {
    var head = slots.heads[position];
    long bound = slots.earliest[position];
    if (head == null) {
      require(bound == Long.MAX_VALUE, "empty list with a bound", position, bound);
    } else {
      require(Objects.equals(head.prev, last), "the head's prev is not the tail in list", position);
      require(bound <= least, "list, bound too high, first deadline", position, bound, least);
    }
    int level = position >>> slots.slotBits;
    if (level < slots.levels) {
      boolean bit = (slots.occupied[level] >>> (position % (1 << slots.slotBits)) & 1) == 1;
      require(bit == (head != null), "list, occupancy bit", position, bit);
    } else if (position != slots.overflow
        && position != slots.cascading
        && position != slots.fresh) {
      require(head == null, "spare overflow list in use", position);
    }
  }

  private static void require(boolean holds, String complaint, Object... facts) {
    if (!holds) {
      throw new AssertionError(complaint + " " + Arrays.toString(facts));
    }
  }
}
