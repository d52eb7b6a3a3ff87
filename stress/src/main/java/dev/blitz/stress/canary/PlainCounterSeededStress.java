package dev.blitz.stress.canary;

import dev.blitz.stress.SeededStress;
import dev.blitz.stress.control.CountingRounds;
import java.time.Duration;

/**
 * Canary of the seeded programs: reads and writes the counter in two steps, so increments get lost.
 */
public final class PlainCounterSeededStress implements SeededStress {
  private volatile int count;

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // The bug this canary is about.
  public void run(long seed, Duration budget) throws Exception {
    CountingRounds.run(seed, budget, () -> count++, () -> count);
  }
}
