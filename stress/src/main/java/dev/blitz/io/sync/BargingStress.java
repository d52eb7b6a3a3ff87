package dev.blitz.io.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The word of a barging lock: those who come, those who wait, and the lock of the list. */
public class BargingStress {

  /** An unlock meets the enqueue. Results: ready at the first poll; called; ready at the end. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "It was free")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Queued, and was called")
  @Outcome(expect = FORBIDDEN, desc = "Sleeps beside a free lock")
  @State
  public static class UnlockAgainstEnqueue {
    private final Mutex mutex = Mutex.barging();
    private final Waiting<Mutex.Guard> waiting = new Waiting<>(mutex.lock());

    /** It is locked. */
    public UnlockAgainstEnqueue() {
      mutex.tryLock();
    }

    @Actor
    public void unlocker() {
      mutex.unlock();
    }

    @Actor
    public void locker(III_Result r) {
      r.r1 = waiting.poll() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting.wakes();
      r.r3 = r.r1 == 1 || waiting.poll() ? 1 : 0;
    }
  }

  /** One who was called meets one who comes. Results: the called has it; the comer has it. */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1"},
      expect = ACCEPTABLE,
      desc = "One of them has it")
  @Outcome(expect = FORBIDDEN, desc = "Lost, or taken twice")
  @State
  public static class LookAgainstTry {
    private final Mutex mutex = Mutex.barging();
    private final Waiting<Mutex.Guard> waiting = new Waiting<>(mutex.lock());

    /** It waits and has been called. */
    public LookAgainstTry() {
      mutex.tryLock();
      waiting.poll();
      mutex.unlock();
    }

    @Actor
    public void called(II_Result r) {
      r.r1 = waiting.poll() ? 1 : 0;
    }

    @Actor
    public void comer(II_Result r) {
      r.r2 = mutex.tryLock() ? 1 : 0;
    }
  }

  /** One who was called gives up while another waits. Results: the other is called; it is free. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The call was passed on")
  @Outcome(expect = FORBIDDEN, desc = "The next sleeps beside a free lock")
  @State
  public static class UnlockAgainstDrop {
    private final Mutex mutex = Mutex.barging();
    private final Waiting<Mutex.Guard> first = new Waiting<>(mutex.lock());
    private final Waiting<Mutex.Guard> second = new Waiting<>(mutex.lock());

    /** Both wait. */
    public UnlockAgainstDrop() {
      mutex.tryLock();
      first.poll();
      second.poll();
    }

    @Actor
    public void unlocker() {
      mutex.unlock();
    }

    @Actor
    public void dropper() {
      first.drop();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = second.wakes();
      r.r2 = second.poll() ? 1 : 0;
    }
  }
}
