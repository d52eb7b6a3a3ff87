package dev.blitz.io.internal.driver.readiness;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Waker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A reader that goes to sleep against the event it sleeps for. */
public class ReadinessStress {

  /** Counts its wakes. */
  private static final class Bell implements Waker {
    private int rings;

    @Override
    public synchronized void wake() {
      rings++;
    }

    synchronized int rings() {
      return rings;
    }
  }

  /**
   * The bytes come, with their event, while the reader finds nothing and goes to sleep. Results:
   * whether its last look saw that it need not sleep; how often it was woken. Neither would be a
   * hang.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Asleep with bytes waiting")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Woken")
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Seen")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both")
  @State
  public static class SleepAgainstEvent {
    private final Readiness side = new Readiness(EventBits.READABLE);
    private final Bell bell = new Bell();
    private volatile int kernel;

    @Actor
    public void reader(II_Result r) {
      int events = side.events();
      if (kernel != 0) {
        r.r1 = 1; // the read found the bytes
        return;
      }
      side.drained(events);
      side.set(bell);
      r.r1 = side.isReady(side.events()) ? 1 : 0;
    }

    @Actor
    public void event() {
      kernel = 1;
      side.signal();
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = bell.rings();
    }
  }

  /**
   * Two workers have an event each for the same reader: it is woken at least once, and can read.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Woken once for both")
  @Outcome(expect = FORBIDDEN, desc = "An event was lost, or the waker used twice")
  @State
  public static class TwoEvents {
    private final Readiness side = new Readiness(EventBits.READABLE);
    private final Bell bell = new Bell();

    public TwoEvents() {
      side.drained(side.events());
      side.set(bell);
    }

    @Actor
    public void one() {
      side.signal();
    }

    @Actor
    public void other() {
      side.signal();
    }

    @Arbiter
    public void result(II_Result r) {
      r.r1 = bell.rings();
      r.r2 = side.isReady(side.events()) ? 1 : 0;
    }
  }
}
