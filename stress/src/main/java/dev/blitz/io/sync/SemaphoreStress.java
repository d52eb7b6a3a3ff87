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

/** The semaphore's word: the fast path against the queue. */
public class SemaphoreStress {

  /** Results: ready at the first poll; wakes; ready at the end. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The permit was there")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Queued, and was served")
  @Outcome(expect = FORBIDDEN, desc = "Waits beside a free permit")
  @State
  public static class ReleaseAgainstEnqueue {
    private final Semaphore semaphore = Semaphore.create(0, 1);
    private final Waiting<Semaphore.Permit> waiting = new Waiting<>(semaphore.acquire());

    @Actor
    public void releaser() {
      semaphore.release();
    }

    @Actor
    public void acquirer(III_Result r) {
      r.r1 = waiting.poll() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting.wakes();
      r.r3 = r.r1 == 1 || waiting.poll() ? 1 : 0;
    }
  }

  /** A drop meets the grant. Results: permits left; a waiter left. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The permit is there again")
  @Outcome(expect = FORBIDDEN, desc = "A permit was lost or doubled")
  @State
  public static class ReleaseAgainstDrop {
    private final Semaphore semaphore = Semaphore.create(0, 1);
    private final Waiting<Semaphore.Permit> waiting = new Waiting<>(semaphore.acquire());

    /** It is in the queue. */
    public ReleaseAgainstDrop() {
      waiting.poll();
    }

    @Actor
    public void releaser() {
      semaphore.release();
    }

    @Actor
    public void dropper() {
      waiting.drop();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = semaphore.availablePermits();
      r.r2 = semaphore.hasWaiters() ? 1 : 0;
    }
  }

  /** Two releases serve one who needs two. Results: wakes; ready at the end; permits left. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "Gathered both")
  @Outcome(expect = FORBIDDEN, desc = "A permit was lost, or it was woken too early")
  @State
  public static class ReleaseAgainstRelease {
    private final Semaphore semaphore = Semaphore.create(0, 2);
    private final Waiting<Semaphore.Permit> waiting = new Waiting<>(semaphore.acquire(2));

    /** It is in the queue. */
    public ReleaseAgainstRelease() {
      waiting.poll();
    }

    @Actor
    public void first() {
      semaphore.release();
    }

    @Actor
    public void second() {
      semaphore.release();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r1 = waiting.wakes();
      r.r2 = waiting.poll() ? 1 : 0;
      r.r3 = semaphore.availablePermits();
    }
  }

  /** What the holder wrote is seen by the next. Results: got the lock; what it read. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Not released yet")
  @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "Sees what was written under the lock")
  @Outcome(expect = FORBIDDEN, desc = "The lock does not publish")
  @State
  public static class UnlockAgainstTryLock {
    private final Mutex mutex = Mutex.create();
    private int plain;

    /** It is locked. */
    public UnlockAgainstTryLock() {
      mutex.tryLock();
    }

    @Actor
    public void holder() {
      plain = 7;
      mutex.unlock();
    }

    @Actor
    public void other(II_Result r) {
      if (mutex.tryLock()) {
        r.r1 = 1;
        r.r2 = plain;
      }
    }
  }

  /** Closing meets the enqueue. Results: 2 for refused, else ready; wakes; refused at the end. */
  @JCStressTest
  @Outcome(id = "2, 0, 1", expect = ACCEPTABLE, desc = "Closed before it came")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Queued, then refused")
  @Outcome(expect = FORBIDDEN, desc = "Waits on a closed semaphore")
  @State
  public static class CloseAgainstEnqueue {
    private final Semaphore semaphore = Semaphore.create(0, 1);
    private final Waiting<Semaphore.Permit> waiting = new Waiting<>(semaphore.acquire());

    private int poll() {
      try {
        return waiting.poll() ? 1 : 0;
      } catch (SemaphoreClosedException e) {
        return 2;
      }
    }

    @Actor
    public void closer() {
      semaphore.close();
    }

    @Actor
    public void acquirer(III_Result r) {
      r.r1 = poll();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting.wakes();
      r.r3 = r.r1 == 2 || poll() == 2 ? 1 : 0;
    }
  }
}
