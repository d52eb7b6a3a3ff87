package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Owner and thief want one shared fork. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The owner runs it")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The thief runs it")
@Outcome(expect = Expect.FORBIDDEN, desc = "Nobody runs it, or both do")
@State
public class ForkStackClaimStress {
  private final BareForkStack stack = new BareForkStack();
  private final int fork = stack.pushValue(1);

  public ForkStackClaimStress() {
    stack.share(1);
  }

  @Actor
  public void owner(II_Result r) {
    if (!stack.popPrivate(fork)) {
      r.r1 = stack.sharedAt(fork).tryClaimByOwner() ? 1 : 0;
      stack.popShared(fork);
    }
  }

  @Actor
  public void thief(II_Result r) {
    r.r2 = stack.steal() == null ? 0 : 1;
  }
}
