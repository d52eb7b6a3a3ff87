package dev.blitz.testkit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long tests wait, in one place.
 *
 * <p>These bound waits that normally end at once; none of them is a delay. On a slow or busy
 * machine {@code -Dblitz.timeout.scale=4} stretches them all.
 */
public final class Timeouts {

  /** The system property that multiplies every time-out; 1.0 when absent. */
  static final String SCALE_PROPERTY = "blitz.timeout.scale";

  private static final double SCALE = parseScale(System.getProperty(SCALE_PROPERTY));

  /** For what follows at once, such as a thread that ends after its last statement: 2 s. */
  public static final Duration SHORT = scaled(Duration.ofSeconds(2));

  /** For what takes a few hand-overs between threads or a little I/O: 10 s. */
  public static final Duration MEDIUM = scaled(Duration.ofSeconds(10));

  /** For a whole workload within one test: 40 s, which is below the default {@link TimeLimit}. */
  public static final Duration LONG = scaled(Duration.ofSeconds(40));

  private Timeouts() {}

  /**
   * Any other duration, stretched as the constants are.
   *
   * @param duration what would do on an idle machine
   * @return the duration times {@code blitz.timeout.scale}
   */
  public static Duration scaled(Duration duration) {
    return Duration.ofNanos((long) (duration.toNanos() * SCALE));
  }

  static double parseScale(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return 1.0;
    }
    double scale;
    try {
      scale = Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(SCALE_PROPERTY + " is not a number: " + text, e);
    }
    if (!(scale > 0) || Double.isInfinite(scale)) {
      throw new IllegalArgumentException(SCALE_PROPERTY + " must be positive: " + text);
    }
    return scale;
  }
}
