package dev.blitz.stress.control;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The correct twin of the jcstress canary: sequentially consistent flags, so one side always sees
 * the other.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "Both missed the other's flag")
@Outcome(expect = Expect.ACCEPTABLE, desc = "At least one saw the other")
@State
public class VolatileFlagsStress {
  private volatile int left;
  private volatile int right;

  @Actor
  public void raiseLeft(II_Result r) {
    left = 1;
    r.r1 = right;
  }

  @Actor
  public void raiseRight(II_Result r) {
    right = 1;
    r.r2 = left;
  }
}
