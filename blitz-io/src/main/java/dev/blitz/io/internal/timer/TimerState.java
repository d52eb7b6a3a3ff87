package dev.blitz.io.internal.timer;

/**
 * The life of a {@link TimerEntry} in one {@code int}, so that a cancel and an expiry that race are
 * decided exactly once.
 *
 * <pre>
 * FROM          TO           transition  trigger               actor            mode
 * IDLE, FIRED   PENDING(p)   schedule    schedule, reschedule  the owner        plain, under the lock
 * PENDING(p)    PENDING(q)   move        cascade, drain        who advances     plain, under the lock
 * PENDING(p)    IDLE         cancel      cancel, reschedule    the owner        plain, under the lock
 * PENDING(p)    IDLE         cancel      the runtime closed    who closes       plain, under the lock
 * PENDING(p)    FIRED        fire        the deadline passed   who advances     volatile, under the lock
 * </pre>
 *
 * All transitions happen under the wheel's lock; PENDING carries which wheel holds the entry, and
 * the position of the list there. FIRED is written before the lock is released and {@code fire()}
 * is called after: from then on a cancel comes too late. Every other transition throws {@link
 * IllegalStateException}.
 */
final class TimerState {
  private TimerState() {}

  /** Never scheduled, or cancelled in time. Zero, so that a new entry needs no store. */
  static final int IDLE = 0;

  /** Expired: {@code fire()} has been called, or is about to be. */
  static final int FIRED = -1;

  /** PENDING in wheel w at position p is w * 2^10 + p + 1, hence positive. */
  private static final int FIRST_PENDING = 1;

  private static final int WHEEL_SHIFT = 10;

  /** Positions are below it. */
  static final int MAX_POSITIONS = (1 << WHEEL_SHIFT) - 1;

  /** Numbers of wheels are below it. */
  static final int MAX_WHEELS = 1 << (Integer.SIZE - 1 - WHEEL_SHIFT);

  static boolean isPending(int state) {
    return state >= FIRST_PENDING;
  }

  /** The list that holds an entry in this state, which must be pending. */
  static int position(int state) {
    requirePending(state, "has no position");
    return positionBits(state);
  }

  /** The number of the wheel that holds an entry in this state, which must be pending. */
  static int wheel(int state) {
    requirePending(state, "is in no wheel");
    return state >>> WHEEL_SHIFT;
  }

  static int schedule(int from, int wheel, int position) {
    if (isPending(from)) {
      throw illegal(from, "is scheduled already");
    }
    return (wheel << WHEEL_SHIFT) + position + FIRST_PENDING;
  }

  static int move(int from, int position) {
    requirePending(from, "cannot move");
    return schedule(IDLE, from >>> WHEEL_SHIFT, position);
  }

  static int cancel(int from) {
    requirePending(from, "cannot be cancelled");
    return IDLE;
  }

  static int fire(int from) {
    requirePending(from, "cannot fire");
    return FIRED;
  }

  static String describe(int state) {
    return switch (state) {
      case IDLE -> "IDLE";
      case FIRED -> "FIRED";
      default -> "PENDING(" + (state >>> WHEEL_SHIFT) + ":" + positionBits(state) + ")";
    };
  }

  private static int positionBits(int state) {
    return (state & ((1 << WHEEL_SHIFT) - 1)) - FIRST_PENDING;
  }

  private static void requirePending(int state, String complaint) {
    if (!isPending(state)) {
      throw illegal(state, complaint);
    }
  }

  private static IllegalStateException illegal(int state, String complaint) {
    return new IllegalStateException("a timer that is " + describe(state) + " " + complaint);
  }
}
