package dev.blitz.io.internal.driver;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.internal.driver.backends.Backends;
import dev.blitz.io.policy.TimeSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Park against unpark: an unpark ends the present park or the next one, and is never lost. */
public class ParkDriverStress {

  /** A clock on which every deadline has passed; it notes that a park had to consult it. */
  private static final class PastDeadlines implements TimeSource {
    private boolean consulted;

    @Override
    public long nanoTime() {
      consulted = true;
      return Long.MAX_VALUE;
    }
  }

  /**
   * A real park without a deadline. A lost unpark would leave the worker asleep for ever, which
   * jcstress reports as a hung JVM; otherwise the worker sees what was written before the unpark.
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Woken, with the data")
  @Outcome(expect = FORBIDDEN, desc = "Woken without the data")
  @State
  public static class UnparkAgainstPark {
    private final ParkDriver driver = new ParkDriver(1, TimeSource.system(), Backends::best);
    private volatile boolean attached;
    private int data;

    @Actor
    public void worker(I_Result r) {
      driver.attach(0);
      attached = true;
      driver.park(0, Long.MAX_VALUE);
      r.r1 = data;
    }

    @Actor
    public void waker() {
      while (!attached) {
        Thread.onSpinWait();
      }
      data = 1;
      driver.unpark(0);
    }
  }

  /**
   * A park that ends by its deadline. Results: data seen after it; whether the next park returns at
   * once. One of the two, or the unpark was lost.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The unpark was lost")
  @Outcome(expect = ACCEPTABLE, desc = "Seen now, or at the next park")
  @State
  public static class UnparkAgainstDeadline {
    private final PastDeadlines clock = new PastDeadlines();
    private final ParkDriver driver = new ParkDriver(1, clock, Backends::best);
    private int data;

    @Actor
    public void worker(II_Result r) {
      driver.attach(0);
      driver.park(0, 1);
      r.r1 = data;
    }

    @Actor
    public void waker() {
      data = 1;
      driver.unpark(0);
    }

    @Arbiter
    public void nextPark(II_Result r) {
      clock.consulted = false;
      driver.park(0, 1);
      r.r2 = clock.consulted ? 0 : 1;
    }
  }

  /** The same for a park that finds an older notification: it may take the new one along. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The unpark was swallowed, its data not seen")
  @Outcome(expect = ACCEPTABLE, desc = "Seen now, or at the next park")
  @State
  public static class UnparkAgainstNotifiedPark {
    private final PastDeadlines clock = new PastDeadlines();
    private final ParkDriver driver = new ParkDriver(1, clock, Backends::best);
    private int data;

    /** Notified already. */
    public UnparkAgainstNotifiedPark() {
      driver.unpark(0);
    }

    @Actor
    public void worker(II_Result r) {
      driver.park(0, 1);
      r.r1 = data;
    }

    @Actor
    public void waker() {
      data = 1;
      driver.unpark(0);
    }

    @Arbiter
    public void nextPark(II_Result r) {
      clock.consulted = false;
      driver.park(0, 1);
      r.r2 = clock.consulted ? 0 : 1;
    }
  }
}
