package dev.blitz.stress;

import java.io.IOException;
import java.time.Duration;

/** One family of checks and the tool that runs it. */
interface StressKind {
  String name();

  /** Its part of the time, in proportion to the others. */
  default int weight() {
    return 1;
  }

  /** Runs the selected checks, within the budget as far as start-up costs allow. */
  Tally run(Selection selection, Duration budget) throws IOException, InterruptedException;
}
