package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The latch is set while its waiter falls asleep; what was written before is visible. */
@JCStressTest
@Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Asleep, and the setter will wake it")
@Outcome(id = "0, 0, 1", expect = Expect.ACCEPTABLE, desc = "Set first, and the result is there")
@Outcome(expect = Expect.FORBIDDEN, desc = "A lost wake-up, or a result out of sight")
@State
public class LatchSetStress {
  private final Latch latch = new Latch(Thread.currentThread(), null);
  private int result;

  @Actor
  public void waiter(III_Result r) {
    if (latch.becomeSleepy() && latch.fallAsleep()) {
      r.r1 = 1;
    } else if (latch.isSet()) {
      r.r3 = result;
    }
  }

  @Actor
  public void setter(III_Result r) {
    result = 1;
    r.r2 = latch.setAndSeeSleeper() ? 1 : 0;
  }
}
