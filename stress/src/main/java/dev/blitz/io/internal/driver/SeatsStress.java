package dev.blitz.io.internal.driver;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.policy.TimeSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A worker that waits elsewhere (in the kernel) against those who wake it. */
public class SeatsStress {

  /**
   * The wait itself stands for epoll_wait or io_uring_enter: it ends when the event counter is
   * written, which only a waker does that was told to. A wake that is lost is a hung JVM.
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Woken, or did not wait; with the data")
  @Outcome(expect = FORBIDDEN, desc = "Without the data")
  @State
  public static class WakeAgainstWait {
    private final Seats seats = new Seats(1, TimeSource.system());
    private volatile boolean counter;
    private int data;

    @Actor
    public void worker(I_Result r) {
      if (seats.trySitElsewhere(0)) {
        while (!counter) {
          Thread.onSpinWait();
        }
        seats.leave(0);
      }
      r.r1 = data;
    }

    @Actor
    public void waker() {
      data = 1;
      if (seats.wake(0)) {
        counter = true;
      }
    }
  }

  /**
   * The wait ends by itself while a wake comes. Results: data seen after it; whether the next wait
   * is refused. One of the two, or the wake was lost.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The wake was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen now, or at the next wait")
  @State
  public static class WakeAgainstLeaving {
    private final Seats seats = new Seats(1, TimeSource.system());
    private int data;

    @Actor
    public void worker(II_Result r) {
      if (seats.trySitElsewhere(0)) {
        seats.leave(0);
      }
      r.r1 = data;
    }

    @Actor
    public void waker() {
      data = 1;
      seats.wake(0);
    }

    @Arbiter
    public void nextWait(II_Result r) {
      r.r2 = seats.trySitElsewhere(0) ? 0 : 1;
    }
  }

  /**
   * Somebody has left work and wakes the worker only if it waits; the worker says that it waits and
   * then looks for work. Results: whether the worker saw the work; whether it was woken.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The worker sleeps, and the work with it")
  @Outcome(expect = ACCEPTABLE, desc = "Seen or woken")
  @State
  public static class WorkLeftForAWaiter {
    private final Seats seats = new Seats(1, TimeSource.system());
    private volatile int work;

    @Actor
    public void worker(II_Result r) {
      seats.trySitElsewhere(0);
      r.r1 = work;
    }

    @Actor
    public void visitor(II_Result r) {
      work = 1;
      r.r2 = seats.isWaiting(0) ? 1 : 0;
    }
  }
}
