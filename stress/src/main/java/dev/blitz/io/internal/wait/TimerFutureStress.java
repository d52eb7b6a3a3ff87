package dev.blitz.io.internal.wait;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.timer.RuntimeTimers;
import dev.blitz.io.policy.TimeSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The expiry of a timer against what the owner of its future does meanwhile, and who sleeps. */
public class TimerFutureStress {
  private static final long LATER = 1_000_000_000L;

  /** A clock that stands at zero. */
  private static final class Zero implements TimeSource {
    @Override
    public long nanoTime() {
      return 0;
    }
  }

  static final class Timer extends TimerFuture {
    Timer() {
      super(null);
    }
  }

  /** What both tests share: a timer that has been armed with a first waker. */
  public static class Armed {
    final RuntimeTimers timers = new RuntimeTimers(new Zero(), 2, () -> {});
    final Timer timer = new Timer();
    volatile int woken;

    /** Arms it. */
    public Armed() {
      timer.armAt(timers, LATER, Context.of(() -> {}));
    }
  }

  /** The task has moved: a poll brings another waker. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Pending, and nobody wakes the new waker")
  @Outcome(expect = ACCEPTABLE, desc = "The poll sees the expiry, or its waker is woken, or both")
  @State
  public static class PollAgainstExpiry extends Armed {

    @Actor
    public void owner(II_Result r) {
      r.r1 = timer.pollTimer(Context.of(() -> woken = 1)) ? 1 : 0;
    }

    @Actor
    public void wheel() {
      timers.fireDue(LATER);
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = woken;
    }
  }

  /** Cancel: exactly one of both wins. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Cancelled")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Expired")
  @Outcome(expect = FORBIDDEN, desc = "Both or none")
  @State
  public static class CancelAgainstExpiry extends Armed {

    @Actor
    public void owner(II_Result r) {
      r.r1 = timers.cancel(timer) ? 1 : 0;
    }

    @Actor
    public void wheel() {
      timers.fireDue(LATER);
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = timer.hasFired() ? 1 : 0;
    }
  }

  /** A time-out that is armed in a poll against the overseer, and against the next discard. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Taken out, whoever came first")
  @Outcome(expect = FORBIDDEN, desc = "A timer or a deadline is left")
  @State
  public static class DiscardAgainstSettle extends Armed {
    private final Timer fresh = new Timer();

    /** Arms a fresh timer beside the other, which is taken out. */
    public DiscardAgainstSettle() {
      timers.cancel(timer);
      timers.scheduleAfter(fresh, 0, LATER);
    }

    @Actor
    public void owner() {
      timers.discard(fresh, 1);
      timers.admit(1);
    }

    @Actor
    public void overseer() {
      timers.admitAll();
    }

    @Arbiter
    public void result(II_Result r) {
      r.r1 = timers.size();
      r.r2 = timers.nextDeadlineNanos() == Long.MAX_VALUE ? 0 : 1;
    }
  }

  /**
   * A sleeper that looks at all wheels while one timer is armed and an earlier one is cancelled.
   */
  @JCStressTest
  @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "Sleeps beyond the timer, and nobody tells")
  @Outcome(expect = ACCEPTABLE, desc = "The sleeper knows, or is told, or both")
  @State
  public static class SleepAgainstArm {
    private volatile int told;
    private final RuntimeTimers timers = new RuntimeTimers(new Zero(), 2, () -> told = 1);
    private final Timer earlier = new Timer();
    private final Timer later = new Timer();

    /** Arms the earlier one, in the wheel that is looked at last. */
    public SleepAgainstArm() {
      timers.schedule(earlier, 1, LATER);
      told = 0;
    }

    @Actor
    public void sleeper(II_Result r) {
      r.r1 = timers.sleepDeadlineNanos() > 2 * LATER ? 1 : 0;
    }

    @Actor
    public void other() {
      timers.schedule(later, 0, 2 * LATER);
      timers.cancel(earlier);
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = told;
    }
  }
}
