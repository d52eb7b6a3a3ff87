package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The deque grows under a thief, across the wrap of its index, and keeps its elements. */
@JCStressTest
@Outcome(id = "3, 1, 2", expect = Expect.ACCEPTABLE, desc = "Youngest, oldest, the one between")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost, doubled or out of order")
@State
public class ChaseLevGrowStealStress {
  private final ChaseLevDeque<Integer> deque = new ChaseLevDeque<>(2, Long.MAX_VALUE - 1);

  public ChaseLevGrowStealStress() {
    deque.push(1);
    deque.push(2);
  }

  @Actor
  public void owner(III_Result r) {
    deque.push(3);
    Integer taken = deque.pop();
    r.r1 = taken == null ? 0 : taken;
  }

  @Actor
  public void thief(III_Result r) {
    Integer taken = deque.steal();
    r.r2 = taken == null ? 0 : taken;
  }

  @Arbiter
  public void rest(III_Result r) {
    Integer taken = deque.pop();
    r.r3 = taken == null ? 0 : taken;
  }
}
