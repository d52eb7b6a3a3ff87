package dev.blitz.stress;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A child JVM that answers through an {@link OutcomeFile}: the parent's half of the conversation.
 */
final class ReportingChild {
  /** Marks the lines of a child's output that are meant for the person who waits. */
  static final String PROGRESS = "> ";

  /** Start-up, instrumentation and a slow machine, over and above three times the budget. */
  private static final Duration GRACE = Duration.ofMinutes(5);

  private ReportingChild() {}

  static Tally run(
      String name,
      Class<?> main,
      List<String> properties,
      Selection selection,
      Duration budget,
      PrintStream out)
      throws IOException, InterruptedException {
    var child = new ChildJvm(Workplace.fresh(name));
    Path outcomes = child.directory().resolve("outcomes.tsv");
    var args = List.of(selection.regex(), Long.toString(budget.toMillis()), outcomes.toString());
    String problem =
        child.run(
            main,
            properties,
            args,
            budget.multipliedBy(3).plus(GRACE),
            line -> {
              if (line.startsWith(PROGRESS)) {
                out.println("  " + line.substring(PROGRESS.length()));
              }
            });
    Tally tally = new OutcomeFile(outcomes).read();
    if (!problem.isEmpty()) {
      tally.failures().put(name, problem);
    }
    return tally;
  }
}
