package dev.blitz.stress;

import java.time.Duration;
import java.util.SplittableRandom;

/** Repeats a seeded round until the budget is used up; a failure names the seed and the round. */
public final class Rounds {
  private Rounds() {}

  /** One round; it checks what it did and leaves nothing behind. */
  @FunctionalInterface
  public interface Round {
    /** All choices come from {@code random}. */
    void run(SplittableRandom random) throws Exception;
  }

  /**
   * Runs at least one round. Each has a generator of its own, so what a round does depends on the
   * seed and its number alone.
   */
  public static void run(long seed, Duration budget, Round round) {
    long deadline = System.nanoTime() + budget.toNanos();
    var seeds = new SplittableRandom(seed);
    int number = 0;
    do {
      long own = seeds.nextLong();
      try {
        round.run(new SplittableRandom(own));
      } catch (Throwable t) {
        throw new AssertionError("seed " + seed + ", round " + number + ": " + t.getMessage(), t);
      }
      number++;
    } while (System.nanoTime() - deadline < 0);
  }
}
