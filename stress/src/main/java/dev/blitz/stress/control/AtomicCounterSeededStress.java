package dev.blitz.stress.control;

import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The correct twin of the seeded canary: an atomic counter loses nothing. */
public final class AtomicCounterSeededStress implements SeededStress {
  private final AtomicInteger count = new AtomicInteger();

  @Override
  public void run(long seed, Duration budget) throws Exception {
    CountingRounds.run(seed, budget, count::incrementAndGet, count::get);
  }
}
