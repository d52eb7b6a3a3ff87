package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thief finds nothing and asks while the owner, which took its only fork back, notes that it must
 * look again: a loop that runs there must still learn that it was asked.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "The thief's mark stays")
@Outcome(expect = Expect.FORBIDDEN, desc = "The owner's mark hides that of the thief")
@State
public class ForkStackMarksStress {
  private final BareForkStack stack = new BareForkStack();

  public ForkStackMarksStress() {
    stack.pushValue(1);
    stack.share(1);
    stack.sharedAt(0).tryClaimByOwner();
  }

  @Actor
  public void owner() {
    stack.popShared(0);
  }

  @Actor
  public void thief() {
    stack.steal();
  }

  @Arbiter
  public void after(I_Result r) {
    r.r1 = stack.isDemanded() ? 1 : 0;
  }
}
