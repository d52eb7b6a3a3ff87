package dev.blitz.stress.canary;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * jcstress canary: two parties each raise a flag and look at the other's, with plain accesses.
 * Without a full fence both may miss the other, which no interleaving of the source explains: only
 * a tool on real hardware can see it.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "Both missed the other's flag")
@Outcome(expect = Expect.ACCEPTABLE, desc = "At least one saw the other")
@State
public class PlainFlagsStress {
  private int left;
  private int right;

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
