package dev.blitz.examples;

import dev.blitz.parallel.Parallel;
import dev.blitz.parallel.array.SeededRandom;

/**
 * Estimates pi, and the price of an option, by throwing dice on all cores. The same seed gives the
 * same answer, bit for bit, on any number of them.
 *
 * <p>Shows: pipelines over a range, random numbers by index. Run: {@code ./blitz example
 * MonteCarlo}.
 */
public final class MonteCarlo {
  private static final SeededRandom RANDOM = SeededRandom.of(2026);
  private static final int THROWS = 2_000_000;

  private MonteCarlo() {}

  /** Prints both estimates. */
  public static void main(String[] args) {
    long inside =
        Parallel.range(0, THROWS)
            .filter(i -> isInside(RANDOM.doubleAt(2L * i), RANDOM.doubleAt(2L * i + 1)))
            .count();
    IO.println("pi is about " + Math.round(400.0 * inside / THROWS) / 100.0);

    double sum = Parallel.range(0, THROWS).mapToDouble(MonteCarlo::payoff).sum();
    double price = sum / THROWS * Math.exp(-RATE * YEARS);
    IO.println("the option is worth about " + Math.round(10 * price) / 10.0);
  }

  private static boolean isInside(double x, double y) {
    return x * x + y * y < 1;
  }

  // --- A call on a share that is at 100 today: the right to buy it for 105 in a year ---

  private static final double RATE = 0.05;
  private static final double SPREAD = 0.2;
  private static final double YEARS = 1;

  private static double payoff(int path) {
    double normal =
        Math.sqrt(-2 * Math.log(1 - RANDOM.doubleAt(2L * path)))
            * Math.cos(2 * Math.PI * RANDOM.doubleAt(2L * path + 1));
    double growth = (RATE - SPREAD * SPREAD / 2) * YEARS + SPREAD * Math.sqrt(YEARS) * normal;
    return Math.max(0, 100 * Math.exp(growth) - 105);
  }
}
