package dev.blitz.io.internal.timer;

/** The numbers that shape the timers, each with its reason. */
public final class TimerTuning {
  private TimerTuning() {}

  /**
   * The length of a tick: 62.5 us, by which a timer may be late on an idle machine. Operating
   * systems wake a sleeping thread some 50 us late in any case, so shorter ticks would gain little;
   * longer ones let more timers share a wake-up. A millisecond is a whole number of ticks, so that
   * a clock that is moved by hand in milliseconds meets deadlines exactly.
   */
  public static final long TICK_NANOS = 62_500;

  /**
   * Slots per level as a power of two: 64, so that one {@code long} is a level's occupancy and one
   * instruction finds its first slot. Cannot be larger; smaller needs more levels for the range.
   */
  static final int SLOT_BITS = 6;

  /**
   * Levels of the wheel. Six of them reach 2^36 ticks, 49.7 days; what lies beyond waits in the
   * overflow list. A timer moves at most once per level, so more levels make far timers dearer; far
   * ones are rare, so fewer would save little.
   */
  static final int LEVELS = 6;

  /**
   * How many entries one hold of the lock may expire or cascade. Bounds the time others wait for
   * the lock to a few microseconds even when a million timers share a slot. Larger amortises the
   * lock over more entries, which gains little beyond this; smaller takes the lock more often.
   */
  static final int BATCH = 64;

  /**
   * The most wheels of one runtime. Each is looked at once per tick of every worker; more than this
   * many workers share wheels, which costs little as long as few of them meet.
   */
  static final int MAX_WHEELS = 32;

  /**
   * How often one call may turn a wheel that fires nothing, besides once for every timer there is.
   * A wheel does so whose first timers were cancelled; what is left is due in the next call.
   */
  static final int SPARE_ROUNDS = 256;

  /**
   * How many ticks the wheel may lag behind the clock while nothing expires. Slots are chosen from
   * the wheel's time: the more it lags, the higher the level of a new timer and the more often it
   * cascades. Smaller takes the lock more often for an advance that fires nothing.
   */
  static final int MAX_LAG_TICKS = 64;
}
