package dev.blitz.io;

import dev.blitz.stress.JdkCarriers;
import dev.blitz.stress.SeededStress;
import java.time.Duration;

/** {@link YieldStormSeededStress} without {@code --add-opens}: no virtual thread can be pinned. */
public final class YieldStormJdkSeededStress implements SeededStress {

  @Override
  public void run(long seed, Duration budget) throws Exception {
    JdkCarriers.run(YieldStormSeededStress.class, seed, budget);
  }
}
