package dev.blitz.benchmarks.harness;

import java.io.PrintStream;

/** A group's result for people at a terminal. */
public final class ConsoleReport {
  private ConsoleReport() {}

  /**
   * Prints the comparison, then every contender with CPU time and allocation.
   *
   * @param result what to print
   * @param out where to
   */
  public static void print(GroupResult result, PrintStream out) {
    out.println();
    out.print(ResultTables.comparison(result).toConsole());
    out.println();
    out.print(ResultTables.contenders(result).toConsole());
    out.printf(
        "%n%s: %s (%s, %s, %s, %s plan)%n",
        result.key(),
        ResultTables.summary(result),
        result.environment().jvm(),
        result.environment().gc(),
        result.environment().coresInWords(),
        result.plan().name());
  }
}
