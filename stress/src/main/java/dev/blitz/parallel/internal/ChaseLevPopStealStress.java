package dev.blitz.parallel.internal;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Owner and thief want the last element: this is what the full fences in pop and steal are for. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The owner has it")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The thief has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "Lost or taken twice")
@State
public class ChaseLevPopStealStress {
  private final ChaseLevDeque<Integer> deque = new ChaseLevDeque<>(2, Long.MAX_VALUE);

  public ChaseLevPopStealStress() {
    deque.push(1);
  }

  @Actor
  public void owner(II_Result r) {
    Integer taken = deque.pop();
    r.r1 = taken == null ? 0 : taken;
  }

  @Actor
  public void thief(II_Result r) {
    Integer taken = deque.steal();
    r.r2 = taken == null ? 0 : taken;
  }
}
