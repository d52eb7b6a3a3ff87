package dev.blitz.stress;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * Runs every {@link SeededStress} in a child JVM.
 *
 * @param seed given to each program
 */
record SeededKind(long seed, PrintStream out) implements StressKind {
  @Override
  public String name() {
    return "seeded";
  }

  @Override
  public Tally run(Selection selection, Duration budget) throws IOException, InterruptedException {
    return ReportingChild.run(
        name(),
        SeededChild.class,
        List.of("-D" + StressMain.SEED + "=" + seed),
        selection,
        budget,
        out);
  }
}
