package dev.blitz.io;

import dev.blitz.stress.JdkCarriers;
import dev.blitz.stress.SeededStress;
import java.time.Duration;

/** {@link DirectStormSeededStress} without {@code --add-opens}: on the JDK's carriers. */
public final class DirectStormJdkSeededStress implements SeededStress {

  @Override
  public void run(long seed, Duration budget) throws Exception {
    JdkCarriers.run(DirectStormSeededStress.class, seed, budget);
  }
}
