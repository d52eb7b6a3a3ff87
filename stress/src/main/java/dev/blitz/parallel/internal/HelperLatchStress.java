package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A joiner goes to sleep for a latch that is being set, without parking. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "Parked, and nobody woke it")
@Outcome(id = "[01], [01]", expect = Expect.ACCEPTABLE, desc = "Seen, or woken")
@State
public class HelperLatchStress {
  private final Sleep sleep = new Sleep(1, 1);
  private final Latch latch = new Latch(Thread.currentThread(), null);

  @Actor
  public void joiner(II_Result r) {
    if (latch.becomeSleepy() && latch.fallAsleep()) {
      sleep.startWaiting(0, latch);
      r.r1 = latch.isSet() ? 0 : 1;
    }
  }

  @Actor
  public void setter() {
    if (latch.setAndSeeSleeper()) {
      sleep.wake(0);
    }
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = sleep.wake(0) ? 0 : 1;
  }
}
