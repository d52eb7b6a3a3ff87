package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thief takes the only visible fork while the owner counts what is visible: the owner shares
 * another one now, or looks again at its next push.
 */
@JCStressTest
@Outcome(id = "1, [01]", expect = Expect.ACCEPTABLE, desc = "Saw the claim and shared the next")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Did not see it, but looks again")
@Outcome(expect = Expect.FORBIDDEN, desc = "The claim is lost")
@State
public class ForkStackDemandStress {
  private final BareForkStack stack = new BareForkStack();

  public ForkStackDemandStress() {
    stack.pushValue(1);
    stack.share(1);
    stack.pushValue(2);
  }

  @Actor
  public void owner(II_Result r) {
    r.r1 = stack.share(1);
  }

  @Actor
  public void thief() {
    stack.steal();
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = stack.needsAttention(2) ? 1 : 0;
  }
}
