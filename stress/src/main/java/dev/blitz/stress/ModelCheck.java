package dev.blitz.stress;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Runs a Lincheck model check for as long as the run allows: a few scenarios in the build, as many
 * as fit in {@code ./blitz stress}.
 */
public final class ModelCheck {
  /** Seconds for each check; set by the runner of a long run only. */
  static final String SECONDS = "blitz.stress.lincheckSeconds";

  /**
   * Scenarios of the first pass, the only one in the build: finds the canary with room to spare.
   */
  private static final int QUICK_ITERATIONS = 5;

  /** Interleavings per scenario. Two operations on each of three threads seldom need more. */
  private static final int QUICK_INVOCATIONS = 500;

  /** A long run also goes deeper into each scenario. */
  private static final int LONG_INVOCATIONS = 2_000;

  private ModelCheck() {}

  /**
   * Checks that the {@code @Operation} methods of a class are linearisable. The caller chooses
   * threads, operations per thread and sequential specification; the number of scenarios and
   * interleavings is set here.
   *
   * @param options the shape of the scenarios
   * @param operations the class with the operations
   */
  public static void check(ModelCheckingOptions options, Class<?> operations) {
    long deadline = System.nanoTime() + Duration.ofSeconds(Long.getLong(SECONDS, 0)).toNanos();
    int iterations = QUICK_ITERATIONS;
    int invocations = QUICK_INVOCATIONS;
    long passNanos;
    // Lincheck takes a count, not a time, and draws its scenarios from a fixed seed: each pass
    // repeats the one before and goes twice as far.
    do {
      long start = System.nanoTime();
      options.iterations(iterations).invocationsPerIteration(invocations).check(operations);
      passNanos = System.nanoTime() - start;
      iterations *= 2;
      invocations = LONG_INVOCATIONS;
    } while (deadline - System.nanoTime() > 2 * passNanos && iterations < 1_000_000);
  }
}
