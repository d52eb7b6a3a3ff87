package dev.blitz.io.internal.scheduler;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Owner against thief, thief against thief: each task is seen exactly once, with what was written
 * into it. All rings wrap their int positions within the test.
 */
public class LocalRunQueueStress {

  /** Results: what the owner popped; what the thief returned, then found in its ring; the rest. */
  @JCStressTest
  @Outcome(id = "12, 3, .", expect = ACCEPTABLE, desc = "Stolen after both pops")
  @Outcome(id = "13, 2, .", expect = ACCEPTABLE, desc = "Stolen between the pops: half of two")
  @Outcome(id = "3., 21, .", expect = ACCEPTABLE, desc = "Stolen first: half of three, rounded up")
  @Outcome(expect = FORBIDDEN, desc = "A task was lost, seen twice or unsafely published")
  @State
  public static class PopAgainstSteal {
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 3);
    private final LocalRunQueue<RingItem> loot = RingItem.ring(4, 0);

    @Actor
    public void owner(LLL_Result r) {
      r.r1 = RingItem.text(ring.pop()) + RingItem.text(ring.pop());
    }

    @Actor
    public void thief(LLL_Result r) {
      r.r2 = RingItem.text(ring.stealInto(loot));
    }

    @Arbiter
    public void rest(LLL_Result r) {
      String more = RingItem.drain(loot);
      r.r2 = r.r2 + (more.equals(".") ? "" : more);
      r.r3 = RingItem.drain(ring);
    }
  }

  /** Results: what the owner popped after two pushes; what was stolen; the rest. */
  @JCStressTest
  @Outcome(id = "1, ., 2", expect = ACCEPTABLE, desc = "The thief came too early")
  @Outcome(id = "2, 1, .", expect = ACCEPTABLE, desc = "Stolen before the pop")
  @Outcome(id = "1, 2, .", expect = ACCEPTABLE, desc = "Stolen after the pop")
  @Outcome(expect = FORBIDDEN, desc = "A task was lost, seen twice or unsafely published")
  @State
  public static class PushAgainstSteal {
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 0);
    private final LocalRunQueue<RingItem> loot = RingItem.ring(4, 0);
    private final RingItem first = new RingItem();
    private final RingItem second = new RingItem();

    @Actor
    public void owner(LLL_Result r) {
      first.value = 1;
      ring.push(first, RingItem.NO_OVERFLOW);
      second.value = 2;
      ring.push(second, RingItem.NO_OVERFLOW);
      r.r1 = RingItem.text(ring.pop());
    }

    @Actor
    public void thief(LLL_Result r) {
      r.r2 = RingItem.text(ring.stealInto(loot));
    }

    @Arbiter
    public void rest(LLL_Result r) {
      r.r3 = RingItem.drain(ring);
    }
  }

  /** Results: what overflowed when 5 was pushed into a full ring; what was stolen; the rest. */
  @JCStressTest
  @Outcome(id = "125, 3, 4", expect = ACCEPTABLE, desc = "The owner spilled half first")
  @Outcome(id = "., 21, 345", expect = ACCEPTABLE, desc = "The thief had made room")
  @Outcome(id = "5, 21, 34", expect = ACCEPTABLE, desc = "The thief was still making room")
  @Outcome(expect = FORBIDDEN, desc = "A task was lost, seen twice or unsafely published")
  @State
  public static class OverflowAgainstSteal {
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 4);
    private final LocalRunQueue<RingItem> loot = RingItem.ring(4, 0);

    @Actor
    public void owner(LLL_Result r) {
      var spilled = new StringBuilder();
      ring.push(
          RingItem.of(5),
          (items, count) -> {
            for (int i = 0; i < count; i++) {
              spilled.append(RingItem.text(items.get(i)));
            }
          });
      r.r1 = spilled.isEmpty() ? "." : spilled.toString();
    }

    @Actor
    public void thief(LLL_Result r) {
      r.r2 = RingItem.text(ring.stealInto(loot));
    }

    @Arbiter
    public void rest(LLL_Result r) {
      String more = RingItem.drain(loot);
      r.r2 = r.r2 + (more.equals(".") ? "" : more);
      r.r3 = RingItem.drain(ring);
    }
  }

  /** Results: what each thief got; the rest. */
  @JCStressTest
  @Outcome(id = "21, 3, .", expect = ACCEPTABLE, desc = "One after the other")
  @Outcome(id = "3, 21, .", expect = ACCEPTABLE, desc = "One after the other")
  @Outcome(id = "21, ., 3", expect = ACCEPTABLE, desc = "One found the other at work")
  @Outcome(id = "., 21, 3", expect = ACCEPTABLE, desc = "One found the other at work")
  @Outcome(expect = FORBIDDEN, desc = "A task was lost or seen twice")
  @State
  public static class TwoThieves {
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 3);
    private final LocalRunQueue<RingItem> lootA = RingItem.ring(4, 0);
    private final LocalRunQueue<RingItem> lootB = RingItem.ring(4, 0);

    @Actor
    public void thiefA(LLL_Result r) {
      r.r1 = RingItem.text(ring.stealInto(lootA));
    }

    @Actor
    public void thiefB(LLL_Result r) {
      r.r2 = RingItem.text(ring.stealInto(lootB));
    }

    @Arbiter
    public void rest(LLL_Result r) {
      String moreA = RingItem.drain(lootA);
      String moreB = RingItem.drain(lootB);
      r.r1 = r.r1 + (moreA.equals(".") ? "" : moreA);
      r.r2 = r.r2 + (moreB.equals(".") ? "" : moreB);
      r.r3 = RingItem.drain(ring);
    }
  }

  /** Results: what 2 evicted from the slot; what the owner popped; what was stolen. */
  @JCStressTest
  @Outcome(id = "0, 2, 1", expect = ACCEPTABLE, desc = "Stolen before the swap")
  @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "Stolen between swap and pop")
  @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "The thief came too late")
  @Outcome(expect = FORBIDDEN, desc = "A task was lost, seen twice or unsafely published")
  @State
  public static class LifoAgainstSteal {
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 0);
    private final RingItem newest = new RingItem();

    /** The slot holds 1 at first. */
    public LifoAgainstSteal() {
      ring.swapLifo(RingItem.of(1));
    }

    @Actor
    public void owner(III_Result r) {
      newest.value = 2;
      r.r1 = RingItem.valueOf(ring.swapLifo(newest));
      r.r2 = RingItem.valueOf(ring.popLifo());
    }

    @Actor
    public void thief(III_Result r) {
      r.r3 = RingItem.valueOf(ring.stealLifo());
    }
  }
}
