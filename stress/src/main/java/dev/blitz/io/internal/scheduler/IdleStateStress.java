package dev.blitz.io.internal.scheduler;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.internal.task.TaskCell;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A worker that goes to sleep against producers that look for one to wake. */
public class IdleStateStress {

  /** ANNOUNCE and RECHECK against POST and LOOK. Results: work seen; worker claimed. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "Each saw the other")
  @Outcome(id = "true, -1", expect = ACCEPTABLE, desc = "The worker saw the task")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The producer saw the worker")
  @Outcome(expect = FORBIDDEN, desc = "The task waits and its worker sleeps")
  @State
  public static class InjectAgainstPark {
    private final IdleState idle = new IdleState(1);
    private final InjectQueue inject = new InjectQueue();
    private final TaskCell<?> task = NoSchedule.task(1);

    @Actor
    public void worker(ZI_Result r) {
      idle.announceParked(0);
      r.r1 = inject.length() > 0;
    }

    @Actor
    public void producer(ZI_Result r) {
      inject.push(task);
      r.r2 = idle.claim(-1);
    }
  }

  /** The same with a task in another worker's ring. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "Each saw the other")
  @Outcome(id = "true, -1", expect = ACCEPTABLE, desc = "The worker saw the task")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The producer saw the worker")
  @Outcome(expect = FORBIDDEN, desc = "The task waits and its worker sleeps")
  @State
  public static class RingAgainstPark {
    private final IdleState idle = new IdleState(2);
    private final LocalRunQueue<RingItem> ring = RingItem.ring(4, 0);
    private final RingItem item = RingItem.of(1);

    @Actor
    public void worker(ZI_Result r) {
      idle.announceParked(0);
      r.r1 = ring.length() > 0;
    }

    @Actor
    public void producer(ZI_Result r) {
      ring.push(item, RingItem.NO_OVERFLOW);
      r.r2 = idle.claim(-1);
    }
  }

  /**
   * The last searcher gives up while a producer relies on it. Results: work seen by the searcher's
   * recheck; worker claimed.
   */
  @JCStressTest
  @Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "Each saw the other")
  @Outcome(id = "true, -1", expect = ACCEPTABLE, desc = "The searcher saw the task")
  @Outcome(id = "false, 0", expect = ACCEPTABLE, desc = "The producer saw no searcher")
  @Outcome(expect = FORBIDDEN, desc = "The producer relied on a searcher that saw nothing")
  @State
  public static class InjectAgainstLastSearcher {
    private final IdleState idle = new IdleState(1);
    private final InjectQueue inject = new InjectQueue();
    private final TaskCell<?> task = NoSchedule.task(1);

    /** The worker is searching. */
    public InjectAgainstLastSearcher() {
      idle.tryStartSearching();
    }

    @Actor
    public void worker(ZI_Result r) {
      idle.announceParked(0);
      idle.stopSearching();
      r.r1 = inject.length() > 0;
    }

    @Actor
    public void producer(ZI_Result r) {
      inject.push(task);
      r.r2 = idle.claim(-1);
    }
  }

  /**
   * CLAIM against a worker that wakes by itself. Results: whether the worker cleared its bit; whom
   * the producer claimed; searchers afterwards.
   */
  @JCStressTest
  @Outcome(id = "1, -1, 0", expect = ACCEPTABLE, desc = "By itself before the producer's look")
  @Outcome(id = "1, -2, 0", expect = ACCEPTABLE, desc = "By itself after it: raised in vain")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "Claimed: the worker is searching")
  @Outcome(expect = FORBIDDEN, desc = "The bit was cleared twice or never, or the count is wrong")
  @State
  public static class ClaimAgainstUnparkSelf {
    private final IdleState idle = new IdleState(1);

    /** The worker is parked. */
    public ClaimAgainstUnparkSelf() {
      idle.announceParked(0);
    }

    @Actor
    public void worker(III_Result r) {
      r.r1 = idle.unparkSelf(0) ? 1 : 0;
    }

    @Actor
    public void producer(III_Result r) {
      r.r2 = idle.claim(-1);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = idle.searching();
    }
  }

  /** Two producers, one parked worker. Results: whom each claimed; searchers afterwards. */
  @JCStressTest
  @Outcome(id = "0, -1, 1", expect = ACCEPTABLE, desc = "One claimed, the other relied on it")
  @Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "One claimed, the other relied on it")
  @Outcome(expect = FORBIDDEN, desc = "Claimed twice or by nobody, or the count is wrong")
  @State
  public static class ClaimAgainstClaim {
    private final IdleState idle = new IdleState(1);

    /** The worker is parked. */
    public ClaimAgainstClaim() {
      idle.announceParked(0);
    }

    @Actor
    public void producerA(III_Result r) {
      r.r1 = idle.claim(-1);
    }

    @Actor
    public void producerB(III_Result r) {
      r.r2 = idle.claim(-1);
    }

    @Arbiter
    public void after(III_Result r) {
      r.r3 = idle.searching();
    }
  }
}
