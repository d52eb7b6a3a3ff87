package dev.blitz.io.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The end of a task against those who ask for it. */
public class JoinCellStress {

  private static int poll(RunningCell task, AtomicInteger wakes) {
    Integer value = task.poll(Context.of(wakes::incrementAndGet));
    return value == null ? 0 : value;
  }

  /** Results: the value the joiner saw, 0 for pending; how often it was woken. */
  @JCStressTest
  @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "The result was there")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(expect = FORBIDDEN, desc = "Waits for ever, or was woken for nothing")
  @State
  public static class JoinAgainstEnd {
    private final RunningCell task = new RunningCell(new CountingHome());
    private final AtomicInteger wakes = new AtomicInteger();

    @Actor
    public void worker() {
      task.succeed(7);
    }

    @Actor
    public void joiner(II_Result r) {
      r.r1 = poll(task, wakes);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = wakes.get();
    }
  }

  /** The same beside one that waits already, so that the flag is set before. */
  @JCStressTest
  @Outcome(id = "7, 10", expect = ACCEPTABLE, desc = "The result was there")
  @Outcome(id = "7, 11", expect = ACCEPTABLE, desc = "The result was there, woken along")
  @Outcome(id = "0, 11", expect = ACCEPTABLE, desc = "Waited, and was woken")
  @Outcome(expect = FORBIDDEN, desc = "One of the two waits for ever or was woken twice")
  @State
  public static class SecondJoinAgainstEnd {
    private final RunningCell task = new RunningCell(new CountingHome());
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    /** One waits already. */
    public SecondJoinAgainstEnd() {
      poll(task, first);
    }

    @Actor
    public void worker() {
      task.succeed(7);
    }

    @Actor
    public void joiner(II_Result r) {
      r.r1 = poll(task, second);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = 10 * first.get() + second.get();
    }
  }

  /** Two join a running task. Results: how often each was woken when it ends later. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both are woken once")
  @Outcome(expect = FORBIDDEN, desc = "A waker was lost or woken twice")
  @State
  public static class JoinAgainstJoin {
    private final RunningCell task = new RunningCell(new CountingHome());
    private final AtomicInteger first = new AtomicInteger();
    private final AtomicInteger second = new AtomicInteger();

    @Actor
    public void joinerA() {
      poll(task, first);
    }

    @Actor
    public void joinerB() {
      poll(task, second);
    }

    @Arbiter
    public void end(II_Result r) {
      task.succeed(7);
      r.r1 = first.get();
      r.r2 = second.get();
    }
  }

  /** Result: how often the uncaught handler was told. */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Told once")
  @Outcome(expect = FORBIDDEN, desc = "Nobody, or everybody, told the handler")
  @State
  public static class DetachAgainstFailure {
    private final CountingHome around = new CountingHome();
    private final RunningCell task = new RunningCell(around);
    private final Exception cause = new Exception("expected");

    @Actor
    public void worker() {
      task.fail(cause);
    }

    @Actor
    public void owner() {
      task.detach();
    }

    @Arbiter
    public void after(I_Result r) {
      r.r1 = around.told.get();
    }
  }
}
