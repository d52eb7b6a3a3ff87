package dev.blitz.parallel.internal;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Steps S2 to S7 of the design note against P1 to P4, without parking. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "Parked, and nobody woke it: a lost post")
@Outcome(id = "[01], [01]", expect = Expect.ACCEPTABLE, desc = "Seen, or woken")
@State
public class SleepPostStress {
  private final SleepCounters counters = new SleepCounters(1);
  private final Sleeper sleeper = new Sleeper();
  private int job;

  @Actor
  public void sleeper(II_Result r) {
    counters.addInactive();
    int snapshot = counters.announceSleepy();
    if (job != 0 || !counters.tryAddSleeping(snapshot)) {
      return;
    }
    sleeper.block(Thread.currentThread());
    VarHandle.fullFence();
    r.r1 = SleepCounters.events(counters.read()) == snapshot ? 1 : 0;
  }

  @Actor
  public void poster(II_Result r) {
    job = 1;
    VarHandle.fullFence();
    long word = counters.post();
    if (SleepCounters.sleeping(word) > 0 && sleeper.tryUnblock(Sleeper.FOR_ANY)) {
      counters.subSleeping();
      r.r2 = 1;
    }
  }
}
