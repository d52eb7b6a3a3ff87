package dev.blitz.io.internal.timer;

import java.util.Objects;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets those who arm timers look into a {@code Deadline}, of which users see only the time that is
 * left. The deadline's class is above this one, so it hands in the look itself.
 */
/* Implementation notes
 *
 *   look   written once, by the initialiser of the deadline's class, hence before there is a deadline; volatile, since
 *          a deadline may reach another thread by a race
 */
public final class DeadlineAccess {
  private static volatile @Nullable ToLongBiFunction<Object, RuntimeTimers> look;

  private DeadlineAccess() {}

  /** For the class of deadlines. */
  public static void give(ToLongBiFunction<Object, RuntimeTimers> look) {
    DeadlineAccess.look = look;
  }

  /**
   * When it is, in nanoseconds of the clock of {@code timers}.
   *
   * @throws IllegalArgumentException if it was made with another clock
   */
  public static long nanosOn(Object deadline, RuntimeTimers timers) {
    return Objects.requireNonNull(look).applyAsLong(deadline, timers);
  }
}
