package dev.blitz.stress;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Runs every {@code XxxLincheckTest} through the JUnit launcher in a child JVM. */
record LincheckKind(PrintStream out) implements StressKind {
  @Override
  public String name() {
    return "lincheck";
  }

  @Override
  public Tally run(Selection selection, Duration budget) throws IOException, InterruptedException {
    return ReportingChild.run(name(), LincheckChild.class, List.of(), selection, budget, out);
  }
}
