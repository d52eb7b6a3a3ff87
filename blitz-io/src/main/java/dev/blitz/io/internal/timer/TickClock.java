package dev.blitz.io.internal.timer;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The runtime's time: nanoseconds since an origin, and the ticks of the wheel made of them.
 *
 * <p>The one place that converts. Now is rounded down and a deadline up, so a timer whose tick has
 * come is never early: {@code nowTick() >= tickAtOrAfter(d)} implies {@code nowNanos() >= d}; it is
 * less than a tick late. Everything saturates at {@link #NEVER}. Thread-safe if the source is.
 */
public final class TickClock {

  /** A deadline, in nanoseconds or ticks, that does not come. */
  public static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier source;
  private final long origin;

  /**
   * A clock that starts at zero.
   *
   * @param source a monotonic count of nanoseconds from anywhere, such as {@link System#nanoTime};
   *     may be negative and may overflow
   */
  public TickClock(LongSupplier source) {
    this.source = source;
    this.origin = source.getAsLong();
  }

  /**
   * The time.
   *
   * @return nanoseconds since the origin, not negative while the source is monotonic
   */
  public long nowNanos() {
    return source.getAsLong() - origin;
  }

  /**
   * The time in ticks.
   *
   * @return how many ticks have passed completely
   */
  public long nowTick() {
    return tickAtOrBefore(nowNanos());
  }

  /**
   * When a duration that starts now ends.
   *
   * @param duration any; zero and less give now
   * @return nanoseconds since the origin, or {@link #NEVER} when they do not fit
   */
  public long deadlineNanos(Duration duration) {
    return deadlineNanos(nowNanos(), duration);
  }

  /**
   * When a tick begins, on the scale of the source.
   *
   * @return what the source reads then, or {@link #NEVER}
   */
  public long sourceNanos(long tick) {
    long start = tick == NEVER ? NEVER : startNanos(tick);
    if (start == NEVER) {
      return NEVER;
    }
    // The source may overflow, so a real moment may look like NEVER: a nanosecond later does not.
    return start + origin == NEVER ? NEVER + 1 : start + origin;
  }

  /**
   * The tick in which a reading of the source lies.
   *
   * @param sourceNanos what the source read
   * @return rounded down
   */
  public long tickOf(long sourceNanos) {
    return tickAtOrBefore(sourceNanos - origin);
  }

  /**
   * How long a thread may sleep.
   *
   * @param tick the tick to wake at
   * @return nanoseconds until that tick begins: zero when it has, {@link #NEVER} when it does not
   */
  public long nanosUntil(long tick) {
    if (tick == NEVER) {
      return NEVER;
    }
    return Math.max(0, startNanos(tick) - nowNanos());
  }

  static long deadlineNanos(long nowNanos, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      return nowNanos;
    }
    return plus(nowNanos, saturatedNanos(duration));
  }

  /** The sum of what is not negative, or {@link #NEVER}. */
  static long plus(long nanos, long more) {
    return more > NEVER - nanos ? NEVER : nanos + more;
  }

  /** A duration in nanoseconds; {@link #NEVER} when they do not fit. */
  public static long saturatedNanos(Duration duration) {
    return duration.compareTo(LONGEST) >= 0 ? NEVER : duration.toNanos();
  }

  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  /**
   * The tick in which a moment lies.
   *
   * @param nanos since the origin; before it counts as the origin
   * @return rounded down
   */
  public static long tickAtOrBefore(long nanos) {
    if (nanos == NEVER) {
      return NEVER;
    }
    return Math.max(nanos, 0) / TimerTuning.TICK_NANOS;
  }

  /**
   * The first tick that begins no sooner than a deadline.
   *
   * @param nanos since the origin; before it counts as the origin
   * @return rounded up; {@link #NEVER} for {@link #NEVER}
   */
  public static long tickAtOrAfter(long nanos) {
    if (nanos <= 0) {
      return 0;
    }
    return nanos == NEVER ? NEVER : (nanos - 1) / TimerTuning.TICK_NANOS + 1;
  }

  /**
   * When a tick begins.
   *
   * @param tick the tick, not negative
   * @return nanoseconds since the origin, or {@link #NEVER} when they do not fit
   */
  public static long startNanos(long tick) {
    return tick > NEVER / TimerTuning.TICK_NANOS ? NEVER : tick * TimerTuning.TICK_NANOS;
  }
}
