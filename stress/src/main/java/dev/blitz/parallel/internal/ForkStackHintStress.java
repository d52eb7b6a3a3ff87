package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thief goes through forks while their owner, for whom they are done, replaces them by new ones:
 * the thief may see an old fork and then claim a newer one, but must not hide the new forks below
 * it from everybody.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Every fork is claimed or can be found")
@Outcome(expect = Expect.FORBIDDEN, desc = "An unclaimed fork is hidden by the hint")
@State
public class ForkStackHintStress {
  private final BareForkStack stack = new BareForkStack();

  public ForkStackHintStress() {
    stack.pushValue(1);
    stack.pushValue(2);
    stack.share(2);
    stack.sharedAt(0).tryClaim();
    stack.sharedAt(1).tryClaim();
  }

  @Actor
  public void owner() {
    stack.popShared(1);
    stack.popShared(0);
    stack.pushValue(3);
    stack.pushValue(4);
    stack.share(2);
  }

  @Actor
  public void thief() {
    stack.steal();
  }

  @Arbiter
  public void after(I_Result r) {
    for (int i = 0; i < stack.oldest; i++) {
      if (!stack.sharedAt(i).isClaimed()) {
        r.r1++;
      }
    }
  }
}
