package dev.blitz.stress;

import java.time.Duration;
import java.util.List;

/**
 * How long a run may take, and what each kind of check gets of it. Start-up costs come on top, so a
 * short run overshoots.
 *
 * @param total the time the person asked for
 */
record StressBudget(Duration total) {
  /** What {@code ./blitz stress} takes unless told otherwise. */
  static final StressBudget DEFAULT = new StressBudget(Duration.ofMinutes(10));

  /** Reads a positive number of minutes; fractions are allowed. */
  static StressBudget ofMinutes(String text) {
    double minutes;
    try {
      minutes = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("Not a number of minutes: " + text, e);
    }
    if (!(minutes > 0 && minutes <= 10_000)) {
      throw new IllegalArgumentException("Minutes must be more than 0: " + text);
    }
    return new StressBudget(Duration.ofMillis(Math.round(minutes * 60_000)));
  }

  /** What one kind gets, by its weight among all. */
  Duration share(StressKind kind, List<? extends StressKind> all) {
    int weights = all.stream().mapToInt(StressKind::weight).sum();
    return total.multipliedBy(kind.weight()).dividedBy(weights);
  }
}
