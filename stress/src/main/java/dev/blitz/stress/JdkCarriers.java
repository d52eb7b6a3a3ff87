package dev.blitz.stress;

import dev.blitz.io.BlitzRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Runs a seeded program in a JVM where java.lang is closed, so that direct tasks have the JDK's
 * carriers; as main class, it is that JVM.
 */
public final class JdkCarriers {
  /** Start-up, and a round that waits in vain; less than the runner's own limit. */
  private static final Duration GRACE = Duration.ofSeconds(50);

  private JdkCarriers() {}

  /**
   * Runs {@code program} with this seed and budget.
   *
   * @throws AssertionError if it failed, with what it said
   */
  public static void run(Class<? extends SeededStress> program, long seed, Duration budget)
      throws IOException, InterruptedException {
    var child = ChildJvm.in("jdk-carriers-" + program.getSimpleName(), false);
    var output = new StringBuilder();
    String problem =
        child.run(
            JdkCarriers.class,
            List.of(),
            List.of(program.getName(), Long.toString(seed), Long.toString(budget.toMillis())),
            budget.multipliedBy(2).plus(GRACE),
            line -> output.append(line).append('\n'));
    if (!problem.isEmpty()) {
      throw new AssertionError(problem + "\n" + output);
    }
  }

  /** Arguments: the program's class, the seed, the budget in milliseconds. */
  public static void main(String[] args) throws Exception {
    try (var runtime = BlitzRuntime.builder().workers(1).build()) {
      if (runtime.carriers().own()) {
        throw new IllegalStateException("this JVM was to have closed carriers");
      }
    }
    var program = Class.forName(args[0]).asSubclass(SeededStress.class);
    program
        .getConstructor()
        .newInstance()
        .run(Long.parseLong(args[1]), Duration.ofMillis(Long.parseLong(args[2])));
  }
}
