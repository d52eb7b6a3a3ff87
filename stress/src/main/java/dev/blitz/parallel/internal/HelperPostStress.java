package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Steps W1 and W2 of the design note against a post within the latch, without parking: a joiner
 * that sleeps learns of a job that it may help with.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "Parked, and nobody woke it: a lost post")
@Outcome(id = "[01], [01]", expect = Expect.ACCEPTABLE, desc = "Seen, or woken")
@State
public class HelperPostStress {
  private final Sleep sleep = new Sleep(1, 1);
  private final Latch awaited = new Latch(Thread.currentThread(), null);
  private final Latch within = new Latch(Thread.currentThread(), awaited);
  private int job;

  @Actor
  public void joiner(II_Result r) {
    sleep.startWaiting(0, awaited);
    r.r1 = job == 0 ? 1 : 0;
  }

  @Actor
  public void poster() {
    job = 1;
    int wanted = sleep.announcePost(1, true);
    if (wanted > 0) {
      sleep.wakeFor(wanted, within);
    }
  }

  @Arbiter
  public void after(II_Result r) {
    r.r2 = sleep.wake(0) ? 0 : 1;
  }
}
