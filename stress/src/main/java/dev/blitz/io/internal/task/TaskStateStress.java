package dev.blitz.io.internal.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Who has to enqueue or drop the task when two transitions meet: always exactly one of them. */
public class TaskStateStress {

  /** Just the word. */
  private static final class Word extends TaskState {
    Word(int initial) {
      super(initial);
    }
  }

  /** Results: what the worker, what the waker must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first, then woken")
  @Outcome(id = "ENQUEUE, NONE", expect = ACCEPTABLE, desc = "Woken while it ran")
  @Outcome(expect = FORBIDDEN, desc = "The wake-up was lost or doubled")
  @State
  public static class WakeAgainstIdle {
    private final Word task = new Word(TaskState.RUNNING);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = task.toIdle();
    }

    @Actor
    public void waker(LL_Result r) {
      r.r2 = task.wakeTransition();
    }
  }

  /** Results: what each waker of an idle task must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "One enqueues")
  @Outcome(id = "ENQUEUE, NONE", expect = ACCEPTABLE, desc = "One enqueues")
  @Outcome(expect = FORBIDDEN, desc = "Enqueued twice or not at all")
  @State
  public static class WakeAgainstWake {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void wakerA(LL_Result r) {
      r.r1 = task.wakeTransition();
    }

    @Actor
    public void wakerB(LL_Result r) {
      r.r2 = task.wakeTransition();
    }
  }

  /** Results: what the worker, what the canceller must do. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first: enqueued to be dropped")
  @Outcome(id = "DROP, NOTED", expect = ACCEPTABLE, desc = "Cancelled while it ran")
  @Outcome(expect = FORBIDDEN, desc = "The cancellation was lost or acted on twice")
  @State
  public static class CancelAgainstIdle {
    private final Word task = new Word(TaskState.RUNNING);

    @Actor
    public void worker(LL_Result r) {
      r.r1 = task.toIdle();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** The worker leaves a shield and suspends. Results: as above. */
  @JCStressTest
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Idle first: enqueued to be dropped")
  @Outcome(id = "DROP, NOTED", expect = ACCEPTABLE, desc = "Cancelled under or after the shield")
  @Outcome(expect = FORBIDDEN, desc = "The cancellation was lost or acted on twice")
  @State
  public static class CancelAgainstEndOfShield {
    private final Word task = new Word(TaskState.RUNNING | TaskState.SHIELD_ONE);

    @Actor
    public void worker(LL_Result r) {
      task.exitShield();
      r.r1 = task.toIdle();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** Results: what each canceller of an idle task is told. */
  @JCStressTest
  @Outcome(id = "ENQUEUE, REFUSED", expect = ACCEPTABLE, desc = "The first one asked")
  @Outcome(id = "REFUSED, ENQUEUE", expect = ACCEPTABLE, desc = "The first one asked")
  @Outcome(expect = FORBIDDEN, desc = "Both or neither asked")
  @State
  public static class CancelAgainstCancel {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void cancellerA(LL_Result r) {
      r.r1 = task.cancelTransition();
    }

    @Actor
    public void cancellerB(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }

  /** Results: what the waker, what the canceller of an idle task must do. */
  @JCStressTest
  @Outcome(id = "ENQUEUE, NOTED", expect = ACCEPTABLE, desc = "Woken first")
  @Outcome(id = "NONE, ENQUEUE", expect = ACCEPTABLE, desc = "Cancelled first")
  @Outcome(expect = FORBIDDEN, desc = "Enqueued twice or not at all")
  @State
  public static class WakeAgainstCancel {
    private final Word task = new Word(TaskState.IDLE);

    @Actor
    public void waker(LL_Result r) {
      r.r1 = task.wakeTransition();
    }

    @Actor
    public void canceller(LL_Result r) {
      r.r2 = task.cancelTransition();
    }
  }
}
