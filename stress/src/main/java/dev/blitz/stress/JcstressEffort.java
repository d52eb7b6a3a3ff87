package dev.blitz.stress;

import java.time.Duration;
import java.util.List;

/**
 * How hard jcstress tries, derived from the time each test may take: first longer iterations, then
 * separate compilation modes per actor, then more forks.
 *
 * @param split whether each actor is compiled in its own mode
 * @param forks JVMs per configuration
 * @param iterationMillis time of one iteration
 */
record JcstressEffort(boolean split, int forks, int iterationMillis) {
  /** Interpreter, C1, C2 and C2 with randomised code motion. */
  private static final int UNIFIED_CONFIGURATIONS = 4;

  /** The same with every pair of modes for two actors. */
  private static final int SPLIT_CONFIGURATIONS = 14;

  /** Start and end of one forked JVM, roughly: what it costs before it measures anything. */
  private static final int FORK_MILLIS = 500;

  /** As jcstress's own presets. */
  private static final int ITERATIONS = 5;

  /** Below this a fresh JVM has hardly compiled the loop. */
  private static final int MIN_ITERATION_MILLIS = 20;

  /**
   * Beyond this another JVM, with another code layout and seed, finds more than a longer iteration.
   */
  private static final int MAX_ITERATION_MILLIS = 1_000;

  static JcstressEffort within(Duration budget, int tests) {
    long perTest = budget.toMillis() / Math.max(1, tests);
    // Split as soon as its iterations are ten times the shortest: a pair of modes may be what a bug
    // needs.
    boolean split = perTest >= SPLIT_CONFIGURATIONS * millisPerFork(10 * MIN_ITERATION_MILLIS);
    long perConfiguration = perTest / configurations(split);
    long forks = Math.max(1, perConfiguration / millisPerFork(MAX_ITERATION_MILLIS));
    long iteration = (perConfiguration / forks - FORK_MILLIS) / ITERATIONS;
    return new JcstressEffort(
        split,
        Math.toIntExact(forks),
        Math.clamp(iteration, MIN_ITERATION_MILLIS, MAX_ITERATION_MILLIS));
  }

  /** What a run with so many tests should take. */
  Duration expected(int tests) {
    return Duration.ofMillis(
        (long) tests * configurations(split) * forks * millisPerFork(iterationMillis));
  }

  List<String> options() {
    String count = Integer.toString(forks);
    return List.of(
        "-sc", Boolean.toString(split),
        "-f", count,
        "-fsm", "1",
        "-iters", Integer.toString(ITERATIONS),
        "-time", Integer.toString(iterationMillis));
  }

  private static int configurations(boolean split) {
    return split ? SPLIT_CONFIGURATIONS : UNIFIED_CONFIGURATIONS;
  }

  private static long millisPerFork(int iterationMillis) {
    return FORK_MILLIS + (long) ITERATIONS * iterationMillis;
  }
}
