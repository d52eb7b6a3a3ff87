package dev.blitz.benchmarks.harness;

/**
 * How long and how often.
 *
 * @param name the name in reports
 * @param warmUps slices of each contender before the first round
 * @param rounds in each of which every contender runs one slice
 * @param sliceMillis length of a slice
 */
public record Plan(String name, int warmUps, int rounds, int sliceMillis) {
  /**
   * For figures that count: nine rounds give quartiles that one disturbed round cannot move.
   *
   * @return the plan
   */
  public static Plan full() {
    return new Plan("full", 6, 9, 200);
  }

  /**
   * For a look while working.
   *
   * @return the plan
   */
  public static Plan quick() {
    return new Plan("quick", 4, 5, 60);
  }

  long sliceNanos() {
    return sliceMillis * 1_000_000L;
  }
}
