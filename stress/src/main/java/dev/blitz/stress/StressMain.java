package dev.blitz.stress;

import java.io.IOException;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Runs all checks: {@code java -jar blitz-stress.jar [minutes] [regex]}. Exits with 0 only if every
 * declared check was executed and passed.
 */
public final class StressMain {
  /** System property with the seed of a run; drawn at random when absent. */
  static final String SEED = "blitz.seed";

  private static final String USAGE =
      "Usage: java [-Dblitz.seed=N] -jar blitz-stress.jar [minutes] [regex of check names]";

  private final PrintStream out;
  private final List<StressKind> kinds;

  StressMain(PrintStream out, List<StressKind> kinds) {
    this.out = out;
    this.kinds = kinds;
  }

  /**
   * Runs and exits.
   *
   * @param args minutes, and a regular expression that the names of the checks must match
   */
  @SuppressWarnings("SystemOut") // A command-line program.
  public static void main(String[] args) throws IOException, InterruptedException {
    StressBudget budget;
    Selection selection;
    try {
      if (args.length > 2) {
        throw new IllegalArgumentException("Too many arguments");
      }
      budget = args.length > 0 ? StressBudget.ofMinutes(args[0]) : StressBudget.DEFAULT;
      selection = args.length > 1 ? Selection.matching(args[1]) : Selection.ALL;
      selection.predicate();
    } catch (PatternSyntaxException e) {
      System.err.println("Not a regular expression: " + args[1] + "\n" + USAGE);
      System.exit(1);
      return;
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + USAGE);
      System.exit(1);
      return;
    }
    Long given = Long.getLong(SEED);
    long seed = given == null ? new SecureRandom().nextLong() : given;
    System.out.println("Seed " + seed + " (replay with -D" + SEED + "=" + seed + ")");
    PrintStream out = System.out;
    List<StressKind> kinds =
        List.of(new JcstressKind(out), new LincheckKind(out), new SeededKind(seed, out));
    System.exit(new StressMain(out, kinds).run(selection, budget) ? 0 : 1);
  }

  /** Runs every kind, says what happened, and whether all is well. */
  boolean run(Selection selection, StressBudget budget) throws IOException, InterruptedException {
    var total = Tally.empty();
    for (StressKind kind : kinds) {
      Duration share = budget.share(kind, kinds);
      out.println(kind.name() + ", about " + share.toSeconds() + " s");
      long start = System.nanoTime();
      Tally tally = kind.run(selection, share);
      if (tally.declared().isEmpty() && selection.equals(Selection.ALL)) {
        // Each kind has a control at least: the jar was put together wrongly.
        tally.failures().putIfAbsent(kind.name(), "declares no check at all");
      }
      long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
      out.println("  " + tally.summary() + " in " + seconds + " s");
      total = total.plus(tally);
    }
    total.failures().forEach((name, message) -> out.println("FAILED " + name + "\n" + message));
    total.missing().forEach(name -> out.println("NOT EXECUTED " + name));
    if (total.declared().isEmpty()) {
      out.println("No check has a name like that.");
    }
    out.println(total.summary());
    return total.passed();
  }
}
